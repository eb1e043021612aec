// Replaces node:http in undici, which reads only the default size of headers and a class that ucctl never passes to it.
// Loading node:http loads nine modules of Node.
const { execArgv, env } = process;
const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some((words) => words.includes('--max-http-header-size'));
/** The default of Node in bytes. */
const usual = 16_384;
exports.maxHeaderSize = isSet ? require('node:http').maxHeaderSize : usual;
