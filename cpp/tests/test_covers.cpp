#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "partage/covers/cover.hpp"
#include "partage/covers/patterns.hpp"

namespace {

using namespace partage;

/// Random rows of ordered, unordered and directed attributes, some values missing.
Examples draw(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    const std::vector<Attribute> attributes{
        {5, true, 0}, {4, false, 0}, {2, true, 0}, {6, true, seed % 3 == 0 ? 1 : 0}, {3, false, 0}};
    std::vector<Index> codes;
    std::vector<Code> classes;
    for (std::size_t i = 0; i < n; ++i) {
        for (const Attribute& attribute : attributes) {
            const Index most = attribute.n_codes - (seed % 2 == 0 ? 1 : 0);
            codes.push_back(std::uniform_int_distribution<Index>(0, most)(random));
        }
        classes.push_back(static_cast<Code>(std::uniform_int_distribution<int>(0, 2)(random)));
    }
    return Examples(codes, classes, {}, attributes);
}

std::size_t separators(const Separation& separation, std::size_t x, std::size_t y) {
    std::size_t found = 0;
    for (std::size_t a = 0; a < separation.examples().n_attributes(); ++a)
        found += separation.apart(a, x, y);
    return found;
}

/// Weight of the pairs that have fewer separators than c and than all discriminants give.
double count_short(const Examples& examples, const Kept& kept, std::size_t c, bool by_attribute) {
    const Separation some(examples, kept, by_attribute);
    const Separation all(examples, Kept(kept.size(), 1), by_attribute);
    double found = 0.0;
    for (std::size_t x = 0; x < examples.size(); ++x)
        for (std::size_t y = 0; y < x; ++y) {
            if (examples.label(x) == examples.label(y)) continue;
            if (separators(some, x, y) < std::min(c, separators(all, x, y)))
                found += examples.weight(x) * examples.weight(y);
        }
    return found;
}

CoverTask task_of(const Examples& examples, std::size_t c, bool by_attribute, const Stop& stop) {
    return {examples, c, by_attribute, false, 0.0, 0, 0, 1000000, stop};
}

TEST(covers_leave_no_pair_short) {
    const Stop stop;
    for (unsigned seed = 0; seed < 6; ++seed) {
        const Examples examples = draw(seed < 3 ? 20 : 150, seed);
        for (std::size_t c = 1; c <= 3; ++c)
            for (const bool by_attribute : {false, true}) {
                const CoverTask task = task_of(examples, c, by_attribute, stop);
                const Kept ideal = eliminate(task);
                CHECK(count_short(examples, ideal, c, by_attribute) == 0.0);
                CHECK(count_short_pairs(task, ideal) == 0.0);
                if (by_attribute) continue;
                CHECK(count_short(examples, cover_greedily(task), c, false) == 0.0);
                for (std::size_t tau = 0; tau < ideal.size(); ++tau) {
                    if (!ideal[tau]) continue;
                    Kept fewer = ideal;
                    fewer[tau] = 0;
                    const double n_short = count_short(examples, fewer, c, false);
                    CHECK(n_short > 0.0);
                    CHECK(count_short_pairs(task, fewer) == n_short);
                }
            }
    }
}

TEST(a_tolerance_is_kept) {
    const Stop stop;
    const Examples examples = draw(150, 4);
    for (const double tolerance : {0.01, 0.1}) {
        CoverTask task{examples, 2, false, false, tolerance, 0, 0, 1000000, stop};
        for (const Kept& kept : {eliminate(task), cover_greedily(task)})
            CHECK(count_short(examples, kept, 2, false) <= tolerance * examples.n_pairs());
    }
}

TEST(a_separation_that_forgets_is_one_that_never_knew) {
    const Examples examples = draw(60, 1);
    Kept kept(examples.n_discriminants(), 1);
    Separation separation(examples, kept, false);
    std::mt19937 random(3);
    for (std::size_t a = 0; a < examples.n_attributes(); ++a)
        for (Index at = 0; at < examples.attribute(a).n_discriminants(); ++at) {
            if (std::uniform_int_distribution<int>(0, 1)(random) == 0) continue;
            kept[examples.first(a) + at] = 0;
            separation.drop(a, at);
        }
    const Separation fresh(examples, kept, false);
    for (std::size_t x = 0; x < examples.size(); ++x)
        for (std::size_t y = 0; y < x; ++y)
            for (std::size_t a = 0; a < examples.n_attributes(); ++a) {
                CHECK(separation.apart(a, x, y) == fresh.apart(a, x, y));
                const Index p = examples.row(x)[a];
                const Index q = examples.row(y)[a];
                CHECK((separation.word(a, p) == separation.word(a, q)) ==
                      (separation.place(a, p) == separation.place(a, q)));
            }
    for (std::size_t a = 0; a < examples.n_attributes(); ++a)
        CHECK_NEAR(separation.tie_chance(a), fresh.tie_chance(a), 1e-12);
}

TEST(trees_and_reports_take_any_table) {
    const Stop stop;
    for (unsigned seed = 0; seed < 4; ++seed) {
        const Examples examples = draw(80, seed);
        const Kept kept = grow_tree(task_of(examples, 1, false, stop));
        const std::vector<double> close = count_close_pairs(examples, kept, 3, stop);
        const std::size_t smallest = smallest_separation(examples, kept, stop);
        for (std::size_t k = 0; k < close.size(); ++k) CHECK((close[k] > 0.0) <= (smallest <= k));
        CHECK(merits(examples, kept, true).size() == merits(examples, kept, false).size());
    }
}

TEST(a_greedy_cover_stops_before_it_needs_too_much) {
    const Stop stop;
    const Examples examples = draw(150, 1);
    bool is_refused = false;
    try {
        cover_greedily({examples, 3, false, false, 0.0, 0, 0, 10, stop});
    } catch (const TooManyPairs&) {
        is_refused = true;
    }
    CHECK(is_refused);
}

TEST(patterns_cover_their_class_only) {
    const Stop stop;
    std::mt19937 random(8);
    const std::size_t n = 130;
    std::vector<std::uint8_t> holds(6 * n);
    std::vector<std::uint8_t> fails(6 * n);
    std::vector<std::uint8_t> is_positive(n);
    for (std::size_t i = 0; i < holds.size(); ++i) {
        const int kind = std::uniform_int_distribution<int>(0, 9)(random);
        holds[i] = kind < 5;
        fails[i] = kind >= 5 && kind < 9;
    }
    for (std::size_t i = 0; i < n; ++i) is_positive[i] = holds[i] && !holds[n + i];
    const Literals literals(holds, fails, n, {});
    const PatternTask task{literals, is_positive, 3, 1.0, 0.0, 2, 1000000, 1.0, stop};
    for (const auto& found : {find_prime_patterns(task), find_wide_patterns(task)}) {
        CHECK(!found.empty());
        for (const Pattern& pattern : found) {
            CHECK(pattern.negatives == 0.0);
            double covered = 0.0;
            for (std::size_t i = 0; i < n; ++i)
                covered += std::all_of(pattern.literals.begin(), pattern.literals.end(),
                                       [&](Index literal) { return literals.holds(literal, i); });
            CHECK(covered == pattern.positives);
        }
    }
}

TEST(a_cover_can_be_stopped) {
    const std::atomic<bool> asked{true};
    const Stop stop(&asked);
    const Examples examples = draw(150, 1);
    bool is_stopped = false;
    try {
        eliminate(task_of(examples, 1, false, stop));
    } catch (const Interrupted&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
}

}  // namespace
