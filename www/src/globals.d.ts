/** What the build puts in: addresses of generated files. */
declare const ENGINE_URL: string;
declare const WASM_URL: string;
declare const SAMPLE_URL: string;
declare const EXAMPLES_URL: string;
declare const FILES: string[];
declare const VERSION: string;
