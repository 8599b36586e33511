#include "partage/graphs/ball_prices.hpp"

namespace partage {

void BallPrices::look(const Description& description, Cover& cover) {
    of_size_ = cover.lengths_by_size(description.entries());
}

double BallPrices::growth(const CoverChange& change) const noexcept {
    double growth = 0.0;
    for (const std::uint32_t size : change.come) growth += of_size_[size];
    for (const std::uint32_t size : change.gone) growth -= of_size_[size];
    return growth;
}

}  // namespace partage
