/** Constants that the build defines: the addresses of generated files, and its version. */
declare const ENGINE_URL: string;
declare const WASM_URL: string;
declare const SAMPLE_URL: string;
declare const EXAMPLE_RECORDS_URL: string;
declare const EXAMPLES_URL: string;
declare const GUIDE_TITLES: Record<string, string>;
declare const FILES: string[];
declare const VERSION: string;
