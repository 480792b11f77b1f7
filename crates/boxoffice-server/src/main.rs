//! The program `boxoffice`. Everything is in the library; here stands only the allocator.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    boxoffice_server::cli::main()
}
