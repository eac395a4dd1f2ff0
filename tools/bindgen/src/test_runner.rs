//! `wasm-bindgen-test-runner`, as it is published. It runs the tests of `make wasm` in Node.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
