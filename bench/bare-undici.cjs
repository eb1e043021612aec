// The parts of undici that ucctl uses; bench/limits.ts bundles this file as ucctl bundles them.
const Agent = require('undici/lib/dispatcher/agent.js');
const request = require('undici/lib/api/api-request.js');

/** Sends a request on an agent and returns the reply as JSON. */
exports.send = async (agent, options) => {
  const { body, statusCode } = await request.call(agent, options);
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  return JSON.parse(await body.text());
};

exports.createAgent = () => new Agent({ allowH2: false });
