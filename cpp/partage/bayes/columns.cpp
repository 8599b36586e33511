#include <algorithm>
#include <stdexcept>

#include "partage/bayes/bayes.hpp"

namespace partage {

void CodedColumns::check() const {
    const auto fail = [](const char* what) { throw std::invalid_argument(what); };
    if (n_classes == 0 || offsets.empty() || offsets.front() != 0) fail("there are no classes");
    if (labels.size() != n_rows || codes.size() != n_rows * n_columns())
        fail("codes and labels differ in rows");
    if (!weights.empty() && weights.size() != n_rows) fail("weights and rows differ");
    if (prior.size() != n_classes) fail("the prior has another number of classes");
    if (!std::is_sorted(offsets.begin(), offsets.end()) ||
        tables.size() != static_cast<std::size_t>(offsets.back()) * n_classes)
        fail("tables and offsets differ");
    if (std::any_of(labels.begin(), labels.end(), [&](auto label) { return label >= n_classes; }))
        fail("a label is no class");
    for (std::size_t k = 0; k < n_columns(); ++k) {
        const auto column = codes.subspan(k * n_rows, n_rows);
        const auto n_codes = static_cast<std::uint64_t>(offsets[k + 1] - offsets[k]);
        if (std::any_of(column.begin(), column.end(), [&](auto code) { return code >= n_codes; }))
            fail("a code has no row in its table");
    }
}

namespace {

template <std::size_t N>
void add_rows(double* scores, std::span<const std::int64_t> codes, const double* table,
              std::size_t n_classes) {
    const std::size_t width = N > 0 ? N : n_classes;
    for (const std::int64_t code : codes) {
        const double* row = table + static_cast<std::size_t>(code) * width;
        for (std::size_t j = 0; j < width; ++j) scores[j] += row[j];
        scores += width;
    }
}

}  // namespace

void add_by_code(std::span<double> scores, std::span<const std::int64_t> codes,
                 std::span<const double> table, std::size_t n_classes) {
    if (n_classes == 0 || scores.size() != codes.size() * n_classes ||
        table.size() % n_classes != 0)
        throw std::invalid_argument("scores, codes and table differ in size");
    const auto n_codes = static_cast<std::uint64_t>(table.size() / n_classes);
    std::uint64_t highest = 0;  // negative codes become the highest of all
    for (const std::int64_t code : codes)
        highest = std::max(highest, static_cast<std::uint64_t>(code));
    if (!codes.empty() && highest >= n_codes)
        throw std::invalid_argument("a code has no row in the table");
    switch (n_classes) {
        case 2:
            return add_rows<2>(scores.data(), codes, table.data(), 2);
        case 3:
            return add_rows<3>(scores.data(), codes, table.data(), 3);
        default:
            return add_rows<0>(scores.data(), codes, table.data(), n_classes);
    }
}

}  // namespace partage
