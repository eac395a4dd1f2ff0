// A call of a tool of `/mcp` by an assistant.

import { PATIENT } from './signed-in.mjs';

/// Resolves to the result of a tool, which reads the chart of PATIENT.
export async function called({ origin, server }, name, asked = {}) {
  const token = server.token('patient/*.rs', { patient: PATIENT, mcp: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: asked } };
  const answer = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
  return (await answer.json()).result;
}
