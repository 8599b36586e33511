#include <limits>
#include <random>

#include "check.hpp"
#include "partage/support/chi_square_law.hpp"
#include "partage/support/combinatorics.hpp"

namespace {

using namespace partage;

/// Distance of `got` from `wanted` in units of the last place of `wanted`.
double ulps(double got, long double wanted) {
    const double nearest = std::fabs(static_cast<double>(wanted));
    const double unit = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
    return static_cast<double>(std::fabs(static_cast<long double>(got) - wanted)) / unit;
}

TEST(log_factorial_is_the_sum_of_logarithms) {
    long double sum = 0.0L;
    CHECK(log_factorial(0.0) == 0.0);
    for (int n = 1; n <= 100000; ++n) {
        sum += std::log(static_cast<long double>(n));
        CHECK_NEAR(log_factorial(n), static_cast<double>(sum), 2e-15);
    }
}

TEST(log_factorial_of_real_numbers_is_log_gamma) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> exponent(-6.0, 12.0);
    for (int i = 0; i < 20000; ++i) {
        const double x = std::pow(10.0, exponent(random));
        // Below 32 two logarithms near 80 are subtracted.
        CHECK_NEAR(log_factorial(x), std::lgamma(x + 1.0), x < 32.0 ? 5e-14 : 4e-15);
    }
}

TEST(log_factorial_grows_across_the_end_of_its_table) {
    const auto size = static_cast<double>(LogFactorialTable::size);
    for (double n = size - 50.0; n < size + 50.0; ++n)
        CHECK_NEAR(log_factorial(n + 1.0) - log_factorial(n), std::log(n + 1.0), 1e-9);
}

TEST(portable_log_is_within_one_unit_of_the_last_place) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> exponent(-1074.0, 1024.0);
    std::uniform_real_distribution<double> near_one(0.5, 2.0);
    for (int i = 0; i < 200000; ++i) {
        const double wide = std::exp2(exponent(random));
        const double narrow = near_one(random);
        CHECK(ulps(portable_log(wide), std::log(static_cast<long double>(wide))) < 1.0);
        CHECK(ulps(portable_log(narrow), std::log(static_cast<long double>(narrow))) < 1.0);
        CHECK(ulps(portable_log(wide), std::log(wide)) <= 1.0);
        CHECK(ulps(portable_log(narrow), std::log(narrow)) <= 1.0);
    }
}

TEST(portable_log_is_right_at_the_ends) {
    CHECK(portable_log(1.0) == 0.0);
    for (const double x :
         {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
          std::numeric_limits<double>::max(), std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)})
        CHECK(ulps(portable_log(x), std::log(static_cast<long double>(x))) < 1.0);
}

TEST(x_log_x_is_zero_at_zero_and_follows_the_logarithm) {
    CHECK(x_log_x(0.0) == 0.0);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> exponent(-3.0, 9.0);
    for (int i = 0; i < 20000; ++i) {
        const double x = std::pow(10.0, exponent(random));
        CHECK_NEAR(x_log_x(x), x * std::log(x), 1e-14);
    }
}

TEST(log_binomial_counts_small_choices) {
    CHECK_NEAR(log_binomial(5.0, 2.0), std::log(10.0), 1e-14);
    CHECK_NEAR(log_binomial(52.0, 5.0), std::log(2598960.0), 1e-14);
    CHECK_NEAR(log_binomial(7.0, 0.0), 0.0, 1e-14);
}

TEST(portable_exp_follows_the_exponential) {
    CHECK(portable_exp(0.0) == 1.0);
    for (double x = -600.0; x < 0.0; x += 0.37)
        CHECK(std::fabs(portable_exp(x) / std::exp(x) - 1.0) < 1e-13);
}

TEST(set_partitions_are_counted) {
    CHECK_NEAR(log_set_partitions(1, 1), 0.0, 1e-14);
    CHECK_NEAR(log_set_partitions(4, 2), std::log(8.0), 1e-14);
    CHECK_NEAR(log_set_partitions(5, 5), std::log(52.0), 1e-14);
    CHECK_NEAR(log_set_partitions(5, 9), std::log(52.0), 1e-14);
    CHECK_NEAR(log_set_partitions(1000, 50), 3763.545238476, 1e-12);
    CHECK_NEAR(log_set_partitions(100000, 10), 230243.404886832, 1e-14);
    CHECK_NEAR(log_set_partitions(5000, 5000), 28883.401807741492334, 1e-13);
    CHECK_NEAR(log_set_partitions(100000, 100000), 839225.53390772643857, 1e-13);
}

TEST(set_partitions_of_very_many_values_take_no_time) {
    constexpr std::size_t many = 4'000'000'000;
    CHECK(log_set_partitions(many, many) > log_set_partitions(many, many / 100));
}

TEST(universal_code_of_whole_numbers) {
    const double log_2 = std::log(2.0);
    CHECK_NEAR(universal_length(1.0), std::log(2.865), 1e-15);
    CHECK_NEAR(universal_length(16.0), std::log(2.865) + (4.0 + 2.0 + 1.0) * log_2, 1e-15);
}

TEST(chi_square_quantiles_are_those_of_the_tables) {
    struct Known {
        double probability;
        double freedom;
        double value;
    };
    constexpr Known table[] = {
        {0.5, 1, 0.454936423119572},    {0.5, 2, 1.386294361119891},
        {0.5, 100, 99.33412923598846},  {0.9, 3, 6.251388631170325},
        {0.9, 30, 40.2560237387118},    {0.95, 1, 3.841458820694124},
        {0.95, 2, 5.991464547107979},   {0.95, 10, 18.307038053275146},
        {0.99, 5, 15.08627246938899},   {0.99, 100, 135.80672317102676},
        {0.999, 1, 10.827566170662733}, {0.999, 30, 59.70306430442994},
    };
    for (const Known& known : table)
        CHECK_NEAR(chi_square_quantile(known.probability, known.freedom), known.value, 1e-12);
}

TEST(chi_square_tail_does_not_underflow) {
    CHECK_NEAR(log_chi_square_tail(5000.0, 10.0), -2471.88, 1e-5);
    CHECK_NEAR(log_chi_square_tail(3.0, 4.0), -0.5837092681258446, 1e-13);
    CHECK(log_chi_square_tail(0.0, 3.0) == 0.0);
}

}  // namespace
