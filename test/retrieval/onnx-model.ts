import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { openSafetensors } from '../../brand/retrieval/safetensors.ts';

/** Numbers of the ONNX format: element types, and fields of its messages (onnx.proto). */
const TYPE = { float: 1, int8: 3, int64: 7 };
const MODEL = { irVersion: 1, graph: 7, opset: 8 };
const GRAPH = { node: 1, name: 2, tensor: 5, input: 11, output: 12 };

/**
 * Writes the bundled model as a transformer directory: its vectors are the mean of token rows, so they must agree with those
 * of the static loader. Padding, row 0, is no silence here, as in a transformer: only the mask tells it from words. Rows from `rows` on are left out, which makes the model fail on rarer words.
 */
export function writeOnnxModel(directory: string, rows?: number): string {
  const tensors = openSafetensors(join(BUNDLED_MODEL, 'model.safetensors'));
  const { count, dims, values } = tensors.int8('embeddings');
  const size = rows ?? count;
  const numbers = values.slice(0, size * dims);
  numbers.fill(100, 0, dims);
  const scales = Buffer.from(tensors.float32('weights', count).slice(0, size).buffer);
  scales.writeFloatLE(1);
  tensors.close();
  const graph = Buffer.concat([
    node('Gather', ['table', 'input_ids'], 'stored'),
    node('Cast', ['stored'], 'numbers', ['to', TYPE.float]),
    node('Gather', ['weights', 'input_ids'], 'weight'),
    node('Mul', ['numbers', 'weight'], 'last_hidden_state'),
    field(GRAPH.name, 'bag'),
    field(GRAPH.tensor, tensor('table', [size, dims], TYPE.int8, Buffer.from(numbers.buffer))),
    field(GRAPH.tensor, tensor('weights', [size, 1], TYPE.float, scales)),
    field(GRAPH.input, value('input_ids', TYPE.int64, ['texts', 'tokens'])),
    field(GRAPH.input, value('attention_mask', TYPE.int64, ['texts', 'tokens'])),
    field(GRAPH.output, value('last_hidden_state', TYPE.float, ['texts', 'tokens', dims])),
  ]);
  const opset = Buffer.concat([field(1, ''), number(2, 17)]);
  const model = Buffer.concat([
    number(MODEL.irVersion, 8),
    field(MODEL.graph, graph),
    field(MODEL.opset, opset),
  ]);
  mkdirSync(join(directory, 'onnx'), { recursive: true });
  writeFileSync(join(directory, 'onnx', 'model_quantized.onnx'), model);
  writeFileSync(join(directory, 'config.json'), '{"model_type":"bert"}');
  copyFileSync(join(BUNDLED_MODEL, 'tokenizer.json'), join(directory, 'tokenizer.json'));
  const tokenizer = { tokenizer_class: 'BertTokenizer', pad_token: '[PAD]', unk_token: '[UNK]' };
  writeFileSync(join(directory, 'tokenizer_config.json'), JSON.stringify(tokenizer));
  return directory;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A field of a protobuf message: a number, or bytes with their length. */
const number = (id: number, content: number) => Buffer.concat([varint(id * 8), varint(content)]);
function field(id: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(id * 8 + 2), varint(bytes.length), bytes]);
}

function node(
  operator: string,
  inputs: readonly string[],
  output: string,
  attribute?: [name: string, value: number],
) {
  const parts = [...inputs.map(input => field(1, input)), field(2, output), field(4, operator)];
  const attributes = attribute
    ? [field(5, Buffer.concat([field(1, attribute[0]), number(3, attribute[1]), number(20, 2)]))]
    : [];
  return field(GRAPH.node, Buffer.concat([...parts, ...attributes]));
}

function tensor(name: string, shape: readonly number[], type: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([
    ...shape.map(size => number(1, size)),
    number(2, type),
    field(8, name),
    field(9, bytes),
  ]);
}

function value(name: string, type: number, shape: readonly (number | string)[]): Buffer {
  const sizes = shape.map(size => field(1, typeof size === 'number' ? number(1, size) : field(2, size)));
  const tensorType = Buffer.concat([number(1, type), field(2, Buffer.concat(sizes))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))]);
}
