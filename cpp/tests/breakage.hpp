#pragma once

extern "C" {

/// Reads past the end of an array ("bounds") or overflows an integer ("overflow"), on purpose.
/// Returns 0 where nothing stops it and 2 for any other word.
int partage_break(const char* what);
}
