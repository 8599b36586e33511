#include "partage/search/sums/summary.hpp"

#include <algorithm>

namespace partage {
namespace {

/// The stretch of one cut. A stretch holds no cut if one part covers it; as its low end goes up,
/// more parts do, and its high end goes up too.
Stretch credible_stretch(const PartProbabilities& parts, const Cumulative& sums, Index cut,
                         double level) {
    constexpr double rounding = 1e-12;
    const auto n_blocks = static_cast<Index>(sums.n_blocks());
    const double allowed = 1.0 - level + rounding;
    std::vector<double> ends(n_blocks + 1, 0.0);  // of the parts that start below `low`, by end
    Stretch best;
    double least_weight = infinite;
    double least_covered = infinite;
    double covered = 0.0;
    std::size_t next = 0;
    Index high = cut;
    for (Index low = 1; low <= cut; ++low) {
        for (; next < parts.size() && parts.first[next] < low; ++next) {
            if (parts.last[next] <= cut) continue;
            ends[parts.last[next]] += parts.probability[next];
            if (parts.last[next] > high) covered += parts.probability[next];
        }
        while (high < n_blocks && covered > allowed) covered -= ends[++high];
        if (high == n_blocks) break;
        const double weight = sums.weight(low, high);
        if (weight < least_weight || (weight == least_weight && covered < least_covered)) {
            best = {low, high};
            least_weight = weight;
            least_covered = covered;
        }
    }
    return best;
}

}  // namespace

std::vector<double> cut_probabilities(const PartProbabilities& parts, std::size_t n_blocks) {
    std::vector<double> found(n_blocks > 0 ? n_blocks - 1 : 0, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts.first[i] > 0) found[parts.first[i] - 1] += parts.probability[i];
    for (double& p : found) p = std::min(p, 1.0);
    return found;
}

AveragedShares averaged_shares(const PartProbabilities& parts, const Cumulative& sums) {
    const std::size_t n_blocks = sums.n_blocks();
    const std::size_t n_classes = sums.layout().n_numbers;
    const auto n_prior = static_cast<double>(n_classes);
    AveragedShares found{Rows(n_blocks, n_classes), Rows(n_blocks, n_classes)};
    // What changes from block to block: each part enters at its first and leaves at its last.
    Rows shares(n_blocks + 1, n_classes);
    Rows squares(n_blocks + 1, n_classes);
    std::vector<double> covered(n_blocks + 1, 0.0);
    std::vector<double> counts(n_classes);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Index first = parts.first[i];
        const Index last = parts.last[i];
        const double p = parts.probability[i];
        sums.subtract(first, last, counts);
        const double n = sums.weight(first, last) + n_prior;
        covered[first] += p;
        covered[last] -= p;
        for (std::size_t j = 0; j < n_classes; ++j) {
            const double share = (counts[j] + 1.0) / n;
            const double square = share * (counts[j] + 2.0) / (n + 1.0);
            shares[first][j] += p * share;
            shares[last][j] -= p * share;
            squares[first][j] += p * square;
            squares[last][j] -= p * square;
        }
    }
    double cover = 0.0;
    std::vector<double> share(n_classes, 0.0);
    std::vector<double> square(n_classes, 0.0);
    for (std::size_t u = 0; u < n_blocks; ++u) {
        cover += covered[u];
        for (std::size_t j = 0; j < n_classes; ++j) {
            share[j] += shares[u][j];
            square[j] += squares[u][j];
            found.shares[u][j] = share[j] / cover;
            found.squares[u][j] = square[j] / cover;
        }
    }
    return found;
}

std::vector<Stretch> credible_stretches(const PartProbabilities& parts, const Cumulative& sums,
                                        std::span<const Index> cuts, double level) {
    std::vector<Stretch> found;
    for (const Index cut : cuts) found.push_back(credible_stretch(parts, sums, cut, level));
    return found;
}

}  // namespace partage
