#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "partage/graphs/description.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// Merges adjacent groups, the best pair first, down to one group for each piece of the graph, and
/// gives the cheapest partition met. While pairs are few all of them are priced at every step;
/// before, a pair is priced anew when it comes first.
class GroupMerger {
public:
    /// `covers` is work space, one for each thread.
    GroupMerger(const std::vector<std::unique_ptr<Cover>>& covers, GroupingCode code,
                const Workers& workers);

    /// Groups are numbered by their first object, before and after.
    std::vector<std::uint32_t> run(std::vector<std::uint32_t> group_of);

private:
    using Number = std::uint32_t;
    using Pair = std::pair<Number, Number>;

    /// What a merge was found to add to the cost, and at which step.
    struct Estimate {
        double growth;
        std::size_t step;
        std::unique_ptr<const Group> group = nullptr;  // of the pair, while pairs are few
    };

    struct Waiting {
        double growth;
        Pair pair;
        std::size_t step;  // of the estimate it stands for
        bool operator<(const Waiting& other) const noexcept {
            return growth != other.growth ? growth > other.growth : pair > other.pair;
        }
    };

    Cover& cover() const noexcept { return *covers_.front(); }
    std::vector<Pair> merge_all(Description& description);
    void link_groups(const Description& description);
    Group merged(const Description& description, Pair pair, Cover& cover) const;
    double growth(const Description& description, Pair pair, const Group& group,
                  Cover& cover) const;
    bool are_few() const noexcept;
    void price_all(const Description& description);
    Pair next_pair(const Description& description);
    Pair best_pair() const;
    void merge(Description& description, Pair pair);

    const std::vector<std::unique_ptr<Cover>>& covers_;
    const Objects& objects_;
    GroupingCode code_;
    const Workers& workers_;
    Workers quiet_;
    std::map<Pair, Estimate> estimates_;
    std::vector<std::set<Number>> neighbours_;
    std::priority_queue<Waiting> waiting_;
    std::size_t step_ = 0;
    double cost_ = 0.0;
};

}  // namespace partage
