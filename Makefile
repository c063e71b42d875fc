# A thin front for CMake; every target can also be run by hand from there.
#   make          build/memoizer (release)
#   make run      build and serve on localhost:9091 from memory
#   make test     all tests: release, then under the sanitizers
#   make lab      the long ones: fuzzing, churn; each prints budget and seed
#   make bench    benchmarks/RESULTS.md's figures
#   make coverage line and branch coverage of src
#   make format   clang-format over all sources
#   make install  to /usr/local, or PREFIX=
JOBS   := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# Seconds for each fuzz target of `make lab`.
FUZZ_SECONDS ?= 60
CMAKE_ARGS ?=
MAKEFLAGS += --no-print-directory
CTEST = ctest --output-on-failure -j $(JOBS) --no-tests=error
SOURCES = $(shell git ls-files '*.c' '*.h')

.PHONY: build run test test-release test-asan test-tsan lab bench coverage \
	format format-check install clean

build:
	@cmake/install-deps.sh build
	@cmake --preset release -DBUILD_TESTING=OFF $(CMAKE_ARGS) >/dev/null
	@cmake --build build -j $(JOBS)

run: build
	@exec build/memoizer

test: test-release test-asan test-tsan

test-release test-asan test-tsan: test-%:
	@cmake/install-deps.sh test
	@cmake --preset $* -DBUILD_TESTING=ON $(CMAKE_ARGS) >/dev/null
	@dir=$$( [ $* = release ] && echo build || echo build-$* ); \
	cmake --build $$dir -j $(JOBS) && \
	cd $$dir && $(CTEST) $$(case $* in release) echo '-LE lab' ;; \
		asan) echo '-LE lab|clients' ;; tsan) echo '-LE lab -L tsan' ;; esac)

lab:
	@cmake/install-deps.sh fuzz
	@cmake --preset release -DBUILD_TESTING=ON $(CMAKE_ARGS) >/dev/null
	@cmake --build build -j $(JOBS)
	@cmake --preset fuzz -DBUILD_TESTING=ON $(CMAKE_ARGS) >/dev/null
	@cmake --build build-fuzz -j $(JOBS)
	@cd build && ctest --verbose --no-tests=error -L lab
	@cd build-fuzz && FUZZ_SECONDS=$(FUZZ_SECONDS) ctest --verbose \
		--no-tests=error -L fuzz

bench:
	@cmake/install-deps.sh test
	@cmake --preset release -DBUILD_TESTING=ON $(CMAKE_ARGS) >/dev/null
	@cmake --build build -j $(JOBS)
	@benchmarks/run.sh build

coverage:
	@cmake/install-deps.sh coverage
	@cmake --preset coverage -DBUILD_TESTING=ON $(CMAKE_ARGS) >/dev/null
	@cmake --build build-coverage -j $(JOBS)
	@find build-coverage -name '*.gcda' -delete
	@cd build-coverage && $(CTEST) -LE lab
	@cmake/coverage.sh build-coverage

format:
	@cmake/install-deps.sh format
	@clang-format -i $(SOURCES)

format-check:
	@cmake/install-deps.sh format
	@clang-format --dry-run --Werror $(SOURCES)

install: build
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-*
