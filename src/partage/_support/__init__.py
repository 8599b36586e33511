"""What every package may use: checks, extras, threads, files written safely."""
