#include "breakage.hpp"

#include <cstring>
#include <limits>
#include <thread>
#include <vector>

int partage_break(const char* what) {
    volatile int one = 1;  // hides the mistake from the compiler
    volatile int seen = 0;
    if (std::strcmp(what, "bounds") == 0) {
        const std::vector<int> values(4, 0);
        seen = values.data()[3 + one];
    } else if (std::strcmp(what, "overflow") == 0) {
        seen = std::numeric_limits<int>::max() + one;
    } else if (std::strcmp(what, "leak") == 0) {
        int* volatile lost = new int[1000];  // volatile: else the compiler leaves it out
        seen = lost == nullptr ? 1 : 0;
        lost = nullptr;
    } else if (std::strcmp(what, "race") == 0) {
        int shared = 0;
        std::thread other([&] { ++shared; });
        ++shared;
        other.join();
        seen = shared;
    } else {
        return 2;
    }
    static_cast<void>(seen);
    return 0;
}
