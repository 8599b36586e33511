#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "partage/graphs/ball_prices.hpp"
#include "partage/graphs/cover_changes.hpp"
#include "partage/support/parallel.hpp"

namespace partage {

/// Merges adjacent groups, the best pair first, down to one group for each piece of the graph, and
/// gives the cheapest partition met. While pairs are few all of them are priced at every step;
/// before, a pair is priced anew when it comes first. Of many objects, merges are first estimated
/// by what the balls of each size cost in the whole description, which is worked out now and then.
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
    double growth(const Description& description, Pair pair, const Group& group,
                  Cover& cover) const;
    void price(const Description& description, Pair pair, Estimate& estimate, std::size_t thread);
    bool are_few() const noexcept;
    void start_estimating(const Description& description);
    bool look_again(const Description& description);
    double estimated_growth(const Description& description, Pair pair, std::size_t thread);
    /// What the step of an estimate that still holds is.
    std::size_t now() const noexcept { return is_estimating_ ? version_ : step_; }
    void price_all(const Description& description);
    Pair next_pair(const Description& description);
    Pair best_pair() const;
    void merge(Description& description, Pair pair);

    const std::vector<std::unique_ptr<Cover>>& covers_;
    std::vector<CoverChanges> changes_;  // one for each cover
    const Objects& objects_;
    GroupingCode code_;
    const Workers& workers_;
    Workers quiet_;
    std::map<Pair, Estimate> estimates_;
    std::vector<std::set<Number>> neighbours_;
    std::priority_queue<Waiting> waiting_;
    std::size_t step_ = 0;
    double cost_ = 0.0;
    bool is_estimating_ = false;
    std::size_t version_ = 0;            // of the lengths by size
    std::size_t n_until_next_look_ = 0;  // merges
    BallPrices prices_;
    double length_of_merge_ = 0.0;  // of the grouping, for one group less
    double length_of_ball_ = 0.0;   // of the grouping, for one ball more
};

}  // namespace partage
