#include <stdexcept>

#include "partage/search/sums/weigh.hpp"

namespace partage {

Summed sum_with_trend(const SumTask&) {
    throw std::invalid_argument("partitions with a trend are not summed");
}

}  // namespace partage
