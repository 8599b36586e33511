#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "partage/graphs/balls.hpp"

namespace partage {

/// The objects of S at each point.
struct Held {
    struct Entry {
        std::uint32_t label;
        std::uint32_t count;
    };

    Held(const Objects& objects, std::span<const std::uint32_t> members);
    bool has(Point p) const noexcept { return starts[p] < starts[p + 1]; }

    std::vector<std::uint32_t> starts;
    std::vector<std::uint64_t> keys;
    std::vector<Entry> entries;
};

/// A ball as it was found.
struct Raw {
    std::uint64_t hash;
    std::uint32_t size;
    Point centre;
    std::uint32_t radius;
};

/// What one thread found: balls, those of a centre by radius, and the class counts of each.
struct Walked {
    std::vector<Raw> balls;
    std::vector<std::uint32_t> counts;
};

/// Breadth-first walks from many centres side by side. Holds work space: one per thread.
class BallWalks {
public:
    static constexpr std::size_t most = 128;  ///< walks at a time

    BallWalks(const Objects& objects, const Held& held, BallKind kind, const BallLimits& limits);

    /// Walks from at most `most` centres; those near each other share their ways.
    void run(std::span<const Point> centres, Walked& out);

private:
    /// Some of the walks: bit b of word w stands for the walk from centre 64 w + b.
    struct Walks {
        std::array<std::uint64_t, most / 64> words{};

        bool is_empty() const noexcept {
            std::uint64_t all = 0;
            for (const std::uint64_t word : words) all |= word;
            return all == 0;
        }
        void add(std::size_t b) noexcept { words[b / 64] |= std::uint64_t{1} << (b % 64); }
        void remove(std::size_t b) noexcept { words[b / 64] &= ~(std::uint64_t{1} << (b % 64)); }
        void unite(const Walks& other) noexcept {
            for (std::size_t w = 0; w < words.size(); ++w) words[w] |= other.words[w];
        }
        void keep(const Walks& other) noexcept {
            for (std::size_t w = 0; w < words.size(); ++w) words[w] &= other.words[w];
        }
        Walks without(const Walks& other) const noexcept {
            Walks rest;
            for (std::size_t w = 0; w < words.size(); ++w)
                rest.words[w] = words[w] & ~other.words[w];
            return rest;
        }
        template <class Visit>
        void for_each(Visit visit) const {
            for (std::size_t w = 0; w < words.size(); ++w)
                for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
                    visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
        }
    };

    /// The walks that have come to a point: ever, in the last step, in this one.
    struct Visits {
        Walks seen;
        Walks front;
        Walks next;
    };

    void start(std::span<const Point> centres);
    void gather(Point p, const Walks& walks);
    Walks step();
    void settle(std::uint32_t radius, const Walks& walks, std::span<const Point> centres,
                Walked& out);

    const Objects& objects_;
    const Held& held_;
    bool is_local_;
    const BallLimits& limits_;
    std::vector<Visits> visits_;  // of each point
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> told_;  // size of the last ball of each walk
    std::vector<std::uint64_t> hashes_;
    Walks alive_;
    std::vector<Point> active_;
    std::vector<Point> touched_;
    std::vector<Point> reached_;  // room for one more than there are points
};

}  // namespace partage
