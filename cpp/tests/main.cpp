#include <exception>

#include "breakage.hpp"
#include "check.hpp"

/// Runs every test, or, with an argument, does something undefined: a build under sanitizers must
/// abort there, else its green tests prove nothing.
int main(int n_arguments, char** arguments) {
    using namespace partage::tests;
    if (n_arguments > 1) return partage_break(arguments[1]);
    std::size_t n_failed = 0;
    for (const Test& test : all_tests()) {
        try {
            test.run();
        } catch (const std::exception& error) {
            ++n_failed;
            std::printf("FAILED %.*s\n  %s\n", static_cast<int>(test.name.size()), test.name.data(),
                        error.what());
        }
    }
    std::printf("%zu passed, %zu failed\n", all_tests().size() - n_failed, n_failed);
    return n_failed == 0 && !all_tests().empty() ? 0 : 1;
}
