#include "partage/additive/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace partage {
namespace {

constexpr double longest_step = 1.0;  // of a score that a logarithm or odds stand behind

constexpr std::size_t n_settling = 5;  // turns in which what all rows share settles

double at(std::span<const double> values, std::size_t i) noexcept {
    return values.empty() ? 0.0 : values[i];
}

}  // namespace

AdditiveModel::AdditiveModel(const ModelRows& rows)
    : rows_(rows), scores_(rows.y.size() * rows.n_outputs, 0.0), intercept_(rows.n_outputs, 0.0) {
    const bool is_classes = rows.law == Law::classes;
    if (rows.n_outputs < 1 || is_classes != (rows.n_outputs > 1))
        throw std::invalid_argument("outputs do not fit the law");
    if (!rows.offsets.empty() && rows.offsets.size() != rows.y.size() * rows.n_outputs)
        throw std::invalid_argument("offsets differ from rows");
    const double end = is_classes ? static_cast<double>(rows.n_outputs) : 2.0;
    for (const double y : rows.y) {
        const bool is_class = y >= 0.0 && y < end && y == static_cast<double>(static_cast<int>(y));
        if ((is_classes || rows.law == Law::two_classes) && !is_class)
            throw std::invalid_argument("y must hold classes");
        if (!(y - y == 0.0)) throw std::invalid_argument("y must be finite");
    }
}

std::size_t AdditiveModel::add(const Term& term) {
    if (term.codes.size() != n_rows()) throw std::invalid_argument("codes differ from rows");
    const std::size_t n_steps = term.n_ordered == 0 ? 0 : term.n_ordered - 1;
    if (term.n_cells < 1 || term.n_ordered > term.n_cells || term.steps.size() != n_steps)
        throw std::invalid_argument("cells and steps do not fit together");
    for (const double step : term.steps)
        if (!(step >= 0.0)) throw std::invalid_argument("steps must be at least 0");
    if (term.kind == Term::Kind::pair && term.shape.n_cells() + 1 != term.n_cells)
        throw std::invalid_argument("the lattice does not fit its cells");
    for (const std::uint32_t code : term.codes)
        if (code >= term.n_cells) throw std::invalid_argument("a code has no cell");
    Held held;
    held.term = term;
    held.levels.means.assign(term.n_cells * rows_.n_outputs, 0.0);
    held.levels.variances.assign(term.n_cells * rows_.n_outputs, 0.0);
    if (!weights_.empty()) weigh_cells(held);
    held_.push_back(std::move(held));
    return held_.size() - 1;
}

void AdditiveModel::start(std::span<const double> weights) {
    if (weights.size() != n_rows()) throw std::invalid_argument("weights differ from rows");
    weights_.assign(weights.begin(), weights.end());
    total_weight_ = 0.0;
    dispersion_ = 1.0;
    std::vector<double> sums(rows_.n_outputs + 1, 0.0);
    double exposure = 0.0;
    for (std::size_t i = 0; i < n_rows(); ++i) {
        if (!(weights_[i] >= 0.0)) throw std::invalid_argument("weights must be at least 0");
        total_weight_ += weights_[i];
        exposure += weights_[i] * finite_exp(at(rows_.offsets, i));
        if (rows_.law == Law::classes)
            sums[static_cast<std::size_t>(rows_.y[i])] += weights_[i];
        else
            sums[0] += weights_[i] * rows_.y[i];
    }
    if (!(total_weight_ > 0.0)) throw std::invalid_argument("there must be rows");
    const double half = 0.5;  // a row of no class in particular keeps logarithms finite
    if (rows_.law == Law::classes)
        for (std::size_t j = 0; j < rows_.n_outputs; ++j)
            intercept_[j] = portable_log(std::max(sums[j], half) / total_weight_);
    else if (rows_.law == Law::two_classes)
        intercept_[0] =
            portable_log(std::max(sums[0], half) / std::max(total_weight_ - sums[0], half));
    else if (rows_.law == Law::normal)
        intercept_[0] = sums[0] / total_weight_;
    else
        intercept_[0] = portable_log(std::max(sums[0], 1e-300) / exposure);
    for (std::size_t i = 0; i < scores_.size(); ++i)
        scores_[i] = intercept_[i % rows_.n_outputs] + at(rows_.offsets, i);
    for (Held& held : held_) {
        std::fill(held.levels.means.begin(), held.levels.means.end(), 0.0);
        std::fill(held.levels.variances.begin(), held.levels.variances.end(), 0.0);
        held.evidence = held.freedom = 0.0;
        weigh_cells(held);
    }
}

std::size_t AdditiveModel::fit(std::span<const std::uint32_t> active, const FitSettings& settings,
                               const Workers& workers) {
    if (weights_.empty()) throw std::invalid_argument("start comes before fit");
    std::vector<bool> is_active(held_.size(), false);
    for (const std::uint32_t term : active) is_active.at(term) = true;
    for (std::size_t t = 0; t < held_.size(); ++t)
        if (!is_active[t]) drop(held_[t], workers);
    std::size_t cycle = 0;
    while (cycle < settings.max_cycles) {
        ++cycle;
        update_intercept(workers);
        double change = 0.0;
        for (const std::uint32_t term : active) {
            workers.stop.check();
            change = std::max(change, update(held_[term], settings, workers));
        }
        update_dispersion(active);
        workers.add(1);
        if (change < settings.tolerance) break;
    }
    update_intercept(workers);
    return cycle;
}

void AdditiveModel::stretch(double factor, const Workers& workers) {
    if (!(factor > 0.0)) throw std::invalid_argument("the factor must be positive");
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] = stretched(i, factor);
    for (Held& held : held_) {
        for (double& mean : held.levels.means) mean *= factor;
        for (double& variance : held.levels.variances) variance *= factor * factor;
    }
    for (std::size_t k = 0; k < n_settling; ++k) update_intercept(workers);
}

double AdditiveModel::stretched(std::size_t i, double factor) const noexcept {
    const double shared = intercept_[i % rows_.n_outputs] + at(rows_.offsets, i);
    return shared + factor * (scores_[i] - shared);
}

double AdditiveModel::loss(std::span<const double> weights, double factor) const {
    if (weights.size() != n_rows()) throw std::invalid_argument("weights differ from rows");
    const std::size_t n_outputs = rows_.n_outputs;
    std::vector<double> scores(n_outputs);
    return with_law(rows_.law, [&]<Law law>() {
        double total = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i) {
            if (!(weights[i] > 0.0)) continue;
            for (std::size_t j = 0; j < n_outputs; ++j)
                scores[j] = stretched(i * n_outputs + j, factor);
            total += weights[i] * loss_of<law>(rows_.y[i], scores.data(), n_outputs);
        }
        return total;
    });
}

std::size_t AdditiveModel::block() const noexcept {
    return std::max<std::size_t>(16384, n_rows() / 64 + 1);  // whatever the number of threads
}

template <Law law>
void AdditiveModel::sum_block(const Term* term, std::size_t first, std::size_t last,
                              Sums& to) const {
    const std::size_t n_outputs = rows_.n_outputs;
    std::vector<double> pulls(n_outputs), weights(n_outputs);
    for (std::size_t i = first; i < last; ++i) {
        const double weight = weights_[i];
        if (!(weight > 0.0)) continue;
        ask<law>(rows_.y[i], &scores_[i * n_outputs], n_outputs, dispersion_, pulls.data(),
                 weights.data());
        const std::size_t cell = (term == nullptr ? 0 : term->codes[i]) * n_outputs;
        for (std::size_t j = 0; j < n_outputs; ++j) {
            to.pulls[cell + j] += weight * pulls[j];
            to.weights[cell + j] += weight * weights[j];
        }
    }
}

AdditiveModel::Sums AdditiveModel::sum_cells(const Term* term, std::size_t n_cells,
                                             const Workers& workers) const {
    const std::size_t size = n_cells * rows_.n_outputs;
    const std::size_t n_blocks = (n_rows() + block() - 1) / block();
    std::vector<Sums> blocks(n_blocks);
    for_each_block({workers.stop, workers.n_threads}, n_rows(), block(),
                   [&](std::size_t, std::size_t first, std::size_t last) {
                       Sums& own = blocks[first / block()];
                       own = {std::vector<double>(size, 0.0), std::vector<double>(size, 0.0)};
                       with_law(rows_.law,
                                [&]<Law law>() { sum_block<law>(term, first, last, own); });
                   });
    Sums found = std::move(blocks[0]);
    for (std::size_t b = 1; b < n_blocks; ++b)
        for (std::size_t i = 0; i < size; ++i) {
            found.pulls[i] += blocks[b].pulls[i];
            found.weights[i] += blocks[b].weights[i];
        }
    return found;
}

void AdditiveModel::weigh_cells(Held& held) const {
    held.cell_weights.assign(held.term.n_cells, 0.0);
    for (std::size_t i = 0; i < n_rows(); ++i) held.cell_weights[held.term.codes[i]] += weights_[i];
}

Levels AdditiveModel::find_levels(const Held& held, const Sums& sums, const FitSettings& settings,
                                  double& evidence) const {
    const Term& term = held.term;
    const CellSums all{rows_.n_outputs, sums.pulls, sums.weights};
    if (term.kind == Term::Kind::pair) {
        const std::size_t n = term.shape.n_cells();
        Levels found = average_pair(all.cells(0, n), term.shape, settings.pairs);
        evidence = found.log_evidence - constant_evidence(all.cells(0, n), settings.pairs.level);
        found.means.resize(term.n_cells * rows_.n_outputs, 0.0);
        found.variances.resize(term.n_cells * rows_.n_outputs, 0.0);
        return found;
    }
    Levels found;
    if (term.n_ordered > 0) {
        found = average_curves(all.cells(0, term.n_ordered), term.steps, settings.curves);
        if (term.trend != 0) make_monotone(all.cells(0, term.n_ordered), term.trend, found);
    }
    const Levels others =
        shrink_levels(all.cells(term.n_ordered, term.n_cells), settings.curves.value);
    found.means.insert(found.means.end(), others.means.begin(), others.means.end());
    found.variances.insert(found.variances.end(), others.variances.begin(), others.variances.end());
    evidence =
        found.log_evidence + others.log_evidence - constant_evidence(all, settings.curves.level);
    return found;
}

double AdditiveModel::update(Held& held, const FitSettings& settings, const Workers& workers) {
    const std::size_t n_outputs = rows_.n_outputs, n_cells = held.term.n_cells;
    Sums sums = sum_cells(&held.term, n_cells, workers);
    const std::vector<double>& present = held.levels.means;
    for (std::size_t i = 0; i < present.size(); ++i) sums.pulls[i] += sums.weights[i] * present[i];
    Levels found = find_levels(held, sums, settings, held.evidence);
    held.freedom = 0.0;
    for (std::size_t i = 0; i < present.size(); ++i)
        held.freedom += sums.weights[i] * found.variances[i];
    const bool is_pair = held.term.kind == Term::Kind::pair;
    const std::size_t n_own = is_pair ? n_cells - 1 : n_cells;
    double own_weight = 0.0;
    for (std::size_t c = 0; c < n_own; ++c) own_weight += held.cell_weights[c];
    double change = 0.0;
    for (std::size_t j = 0; j < n_outputs && own_weight > 0.0; ++j) {
        double middle = 0.0;
        for (std::size_t c = 0; c < n_own; ++c) {
            double& level = found.means[c * n_outputs + j];
            const double step = level - present[c * n_outputs + j];
            if (rows_.law != Law::normal)
                level = present[c * n_outputs + j] + std::clamp(step, -longest_step, longest_step);
            middle += held.cell_weights[c] * level;
        }
        middle /= own_weight;
        double squares = 0.0;
        for (std::size_t c = 0; c < n_own; ++c) {
            double& level = found.means[c * n_outputs + j];
            level -= middle;
            const double step = level - present[c * n_outputs + j];
            squares += held.cell_weights[c] * step * step;
        }
        change = std::max(change, squares / own_weight);
    }
    std::vector<double> changes(present.size());
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i] = found.means[i] - present[i];
    add_scores(&held.term, changes, workers);
    held.levels = std::move(found);
    return std::sqrt(change);
}

void AdditiveModel::drop(Held& held, const Workers& workers) {
    std::vector<double>& means = held.levels.means;
    if (std::all_of(means.begin(), means.end(), [](double x) { return x == 0.0; })) return;
    for (double& mean : means) mean = -mean;
    add_scores(&held.term, means, workers);
    std::fill(means.begin(), means.end(), 0.0);
}

void AdditiveModel::add_scores(const Term* term, std::span<const double> changes,
                               const Workers& workers) {
    const std::size_t n_outputs = rows_.n_outputs;
    for_each_block({workers.stop, workers.n_threads}, n_rows(), block(),
                   [&](std::size_t, std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i) {
                           const std::size_t cell = term == nullptr ? 0 : term->codes[i];
                           for (std::size_t j = 0; j < n_outputs; ++j)
                               scores_[i * n_outputs + j] += changes[cell * n_outputs + j];
                       }
                   });
}

void AdditiveModel::update_intercept(const Workers& workers) {
    const Sums sums = sum_cells(nullptr, 1, workers);
    std::vector<double> changes(rows_.n_outputs);
    for (std::size_t j = 0; j < changes.size(); ++j) {
        changes[j] = sums.pulls[j] / sums.weights[j];
        if (rows_.law != Law::normal)
            changes[j] = std::clamp(changes[j], -longest_step, longest_step);
        intercept_[j] += changes[j];
    }
    add_scores(nullptr, changes, workers);
}

void AdditiveModel::update_dispersion(std::span<const std::uint32_t> active) {
    if (rows_.law == Law::two_classes || rows_.law == Law::classes) return;
    double freedom = 1.0;
    for (const std::uint32_t term : active) freedom += held_[term].freedom;
    const double total = with_law(rows_.law, [&]<Law law>() {
        double sum = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i)
            if (weights_[i] > 0.0) sum += weights_[i] * surprise_of<law>(rows_.y[i], &scores_[i]);
        return sum;
    });
    const double left = std::max(total_weight_ - freedom, 0.1 * total_weight_);
    dispersion_ = std::max(total / left, rows_.law == Law::poisson ? 1.0 : 1e-9);
}

std::vector<double> AdditiveModel::screen(std::span<const std::uint8_t> codes, std::size_t stride,
                                          std::span<const PairShape> shapes,
                                          std::span<const std::uint32_t> columns,
                                          const PairPrior& prior, const Workers& workers) const {
    const std::size_t n_outputs = rows_.n_outputs;
    if (stride < 1 || weights_.empty()) throw std::invalid_argument("start comes before screen");
    const std::size_t n = (n_rows() + stride - 1) / stride;
    if (columns.size() != 2 * shapes.size() || codes.size() % n != 0)
        throw std::invalid_argument("pairs and codes do not fit together");
    for (const std::uint32_t column : columns)
        if ((column + 1) * n > codes.size()) throw std::invalid_argument("a pair has no column");
    std::vector<double> pulls(n * n_outputs), weights(n * n_outputs);
    with_law(rows_.law, [&]<Law law>() {
        for (std::size_t k = 0; k < n; ++k) {
            const std::size_t i = k * stride;
            ask<law>(rows_.y[i], &scores_[i * n_outputs], n_outputs, dispersion_,
                     &pulls[k * n_outputs], &weights[k * n_outputs]);
            for (std::size_t j = 0; j < n_outputs; ++j) {
                pulls[k * n_outputs + j] *= weights_[i];
                weights[k * n_outputs + j] *= weights_[i];
            }
        }
    });
    std::vector<double> found(shapes.size());
    for_each_block(workers, shapes.size(), 1, [&](std::size_t, std::size_t pair, std::size_t) {
        const PairShape& shape = shapes[pair];
        const std::uint8_t* first = codes.data() + columns[2 * pair] * n;
        const std::uint8_t* second = codes.data() + columns[2 * pair + 1] * n;
        const std::size_t size = shape.n_cells() * n_outputs;
        std::vector<double> own_pulls(size, 0.0), own_weights(size, 0.0);
        for (std::size_t k = 0; k < n; ++k) {
            if (first[k] >= shape.n_first || second[k] >= shape.n_second) continue;
            const std::size_t cell = (first[k] * shape.n_second + second[k]) * n_outputs;
            for (std::size_t j = 0; j < n_outputs; ++j) {
                own_pulls[cell + j] += pulls[k * n_outputs + j];
                own_weights[cell + j] += weights[k * n_outputs + j];
            }
        }
        found[pair] = pair_evidence({n_outputs, own_pulls, own_weights}, shape, prior);
    });
    return found;
}

}  // namespace partage
