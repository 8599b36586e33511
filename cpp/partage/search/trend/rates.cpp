#include "partage/search/trend/rates.hpp"

namespace partage {

Phases phases_of(Trend trend) {
    switch (trend) {
        case Trend::ascending:
            return {1};
        case Trend::descending:
            return {-1};
        case Trend::peak:
            return {1, -1};
        default:
            return {-1, 1};
    }
}

void Reached::turn_over() noexcept {
    for (std::size_t s = 0; s < low.size(); ++s) {
        if (low[s] == -infinite) continue;
        const double before = low[s];
        low[s] = -high[s];
        high[s] = -before;
    }
}

bool goes_on(const Rates& rates, std::size_t first, std::size_t end, int direction, Reached& last) {
    bool is_fine = true;
    for (std::size_t s = 0; s < rates.n_series(); ++s) {
        if (rates.is_empty(first, end, s)) continue;
        const double turned = direction * rates.rate(first, end, s);
        const double margin = rates.margin(first, end, s);
        is_fine = is_fine && turned + margin >= last.low[s];
        last.low[s] = turned - margin;
        last.high[s] = turned + margin;
    }
    return is_fine;
}

bool follows_phases(const Rates& rates, const std::vector<std::size_t>& starts,
                    const Phases& phases) {
    const std::size_t n_parts = starts.size() - 1;
    const auto holds_to = [&](std::size_t turn) {
        Reached last(rates.n_series());
        for (std::size_t k = 0; k < n_parts; ++k) {
            const bool is_first = k <= turn;
            if (!goes_on(rates, starts[k], starts[k + 1], phases[is_first ? 0 : 1], last))
                return false;
            // The part at the turn belongs to both phases.
            if (k == turn && phases.size() > 1) last.turn_over();
        }
        return true;
    };
    if (phases.size() == 1) return holds_to(n_parts);
    for (std::size_t turn = 0; turn < n_parts; ++turn)
        if (holds_to(turn)) return true;
    return false;
}

}  // namespace partage
