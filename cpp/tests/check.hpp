#pragma once

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace partage::tests {

/// A statement that turned out false.
class Failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct Test {
    std::string_view name;
    void (*run)();
};

/// Every test of the program, in the order its files were linked.
inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

/// Puts a test on the list when the program starts.
struct Listed {
    Listed(std::string_view name, void (*run)()) { all_tests().push_back({name, run}); }
};

inline void check(bool is_true, const char* statement, const char* file, int line) {
    if (is_true) return;
    throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + statement);
}

/// Fails unless `got` is within `slack` of `wanted`, relative to the larger of 1 and |wanted|.
inline void check_near(double got, double wanted, double slack, const char* what, const char* file,
                       int line) {
    const double error = std::fabs(got - wanted);
    if (error <= slack * std::fmax(1.0, std::fabs(wanted))) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s: got %.17g, wanted %.17g", what, got, wanted);
    check(false, text, file, line);
}

}  // namespace partage::tests

#define TEST(name)                                                  \
    static void name();                                             \
    static const partage::tests::Listed name##_listed{#name, name}; \
    static void name()
#define CHECK(statement) partage::tests::check((statement), #statement, __FILE__, __LINE__)
#define CHECK_NEAR(got, wanted, slack) \
    partage::tests::check_near((got), (wanted), (slack), #got, __FILE__, __LINE__)
