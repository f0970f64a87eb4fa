// tsp.mjs - walks a Trace Server Protocol server with the client of Trace Compass, tsp-typescript-client.
// usage: node tsp.mjs URL < REQUESTS
// A request is one line: [METHOD OF THE CLIENT, ARGUMENTS]. For each one line is written: [status, model].
import { createInterface } from "node:readline";
import client from "tsp-typescript-client";
import protocol from "tsp-typescript-client/lib/protocol/http-tsp-client.js";
import serialization from "tsp-typescript-client/lib/utils/jsonbig-utils.js";

const server = new protocol.HttpTspClient(process.argv[2]);
const { JSONBigUtils } = serialization;

// An object is the query of a request.
function makeArgument(argument) {
	return argument !== null && typeof argument === "object" ? new client.Query(argument) : argument;
}

for await (const line of createInterface({ input: process.stdin })) {
	const [method, ...values] = JSONBigUtils.parse(line);
	const response = await server[method](...values.map(makeArgument));
	const answer = response.isOk() ? response.getModel() : response.getErrorResponse() ?? response.getText();
	console.log(JSONBigUtils.stringify([response.getStatusCode(), answer]));
}
