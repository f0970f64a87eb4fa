// arrow_rows.js - print the rows of Arrow streams as arrow_rows.py does, with the package apache-arrow of npm.
//
//	node arrow_rows.js FOLDER FILE.arrow ...     a line for each row
//
// FOLDER is that of the package, which is written in TypeScript and shares no code with pyarrow. Objects
// are written as text at once: an object of JavaScript would sort the names that look like numbers, and
// its numbers have 53 bits.
'use strict';
const fs = require('fs');
const path = require('path');
const arrow = require(path.resolve(process.argv[2]));
const {DataType} = arrow;
const BASE = ['time', 'cpu', 'pid', 'tid'];

// A float of four bytes has the fewest digits that denote it. Next to a power of two, these are not always the
// nearest ones.
function float(value, type) {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"';
  if (Object.is(value, -0)) return '-0.0';
  if (type.precision === arrow.Precision.DOUBLE) return String(value);
  for (let digits = 1; ; digits++) {
    const [mantissa, exponent] = value.toExponential(digits - 1).replace('.', '').split('e').map(Number);
    for (const near of [mantissa, mantissa - 1, mantissa + 1]) {
      const text = near + 'e' + (exponent - digits + 1);
      if (Math.fround(Number(text)) === value) return text;
    }
  }
}

// Members of a union can be null, members of a struct cannot.
function isUnion({children}) {
  return children.length > 1 && children[0].name === 'tag' && DataType.isDictionary(children[0].type) &&
    children.slice(1).every(field => field.nullable);
}

function object(pairs) {
  return '{' + pairs.map(([name, text]) => JSON.stringify(name) + ':' + text).join(',') + '}';
}

function members(vector, index) {
  const all = vector.type.children.map((field, i) => [field.name, vector.getChildAt(i)]);
  if (!isUnion(vector.type)) return object(all.map(([name, child]) => [name, plain(child, index)]));
  const tag = all[0][1].get(index);
  const there = all.slice(1).filter(([, child]) => child.isValid(index));
  const known = all.slice(1).some(([name]) => name === tag);
  if (known && (there.length !== 1 || there[0][0] !== tag))
    throw new Error('the member ' + tag + ' is said to be there, but ' + there.map(([name]) => name) + ' are');
  return object([[tag, plain(all.find(([name]) => name === tag)[1], index)]]);
}

// A value in the form of JSON.
function plain(vector, index) {
  const {type} = vector;
  if (DataType.isStruct(type)) return members(vector, index);
  const value = vector.get(index);
  if (value === null) return 'null';
  if (DataType.isDictionary(type)) return /^-*\d+$/.test(value) ? value : JSON.stringify(value);
  if (DataType.isFloat(type)) return float(value, type);
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return JSON.stringify([...value]);
  if (DataType.isList(type) || DataType.isFixedSizeList(type))
    return '[' + Array.from({length: value.length}, (_, i) => plain(value, i)).join(',') + ']';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function column(table, {name, type}, index) {
  const vector = table.getChildAt(index);
  if (name !== 'time') return {name, text: row => plain(vector, row), isThere: row => vector.isValid(row)};
  if (!DataType.isTimestamp(type) || type.unit !== arrow.TimeUnit.NANOSECOND || type.timezone)
    throw new Error('time is ' + type);
  const times = vector.toArray(); // get() would give milliseconds
  return {name, text: row => String(times[row]), isThere: () => true};
}

for (const file of process.argv.slice(3)) {
  const table = arrow.tableFromIPC(fs.readFileSync(file));
  const columns = table.schema.fields.map((field, index) => column(table, field, index));
  const base = columns.filter(({name}) => BASE.includes(name));
  const fields = columns.filter(({name}) => !BASE.includes(name));
  const lines = [];
  for (let row = 0; row < table.numRows; row++) {
    const data = fields.filter(one => one.isThere(row)).map(one => [one.name, one.text(row)]);
    lines.push(object([['file', JSON.stringify(file)], ...base.map(one => [one.name, one.text(row)]), ['data', object(data)]]));
  }
  if (lines.length > 0) fs.writeFileSync(1, lines.join('\n') + '\n');
}
