//! `wasm-bindgen --target web`, as the builds need it. The whole command line of wasm-bindgen takes several times as long
//! to build.

use anyhow::bail;
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: bindgen (worker | browser) INPUT.wasm FOLDER NAME";

fn main() -> anyhow::Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let [runtime, input, folder, name] = words.as_slice() else { bail!(USAGE) };
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.omit_default_module_path(false).input_path(input).out_name(name);
    match runtime.as_str() {
        // A trap ends an instance: the abort handler gives the next request a new one.
        "worker" => bindgen.typescript(false).force_enable_abort_handler(true),
        "browser" => bindgen.typescript(true),
        _ => bail!(USAGE),
    };
    bindgen.generate(folder)
}
