import type { Role } from './encoder.ts';

/** What is used of @huggingface/tokenizers; its own types point to files without extension, so that all of them become `any`. */
interface Tokenizer {
  encode(text: string, options: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] };
}

/** How the model reads a text (model/encoder/README.md): so many pieces of it, between a start and an end. */
const [MOST_PIECES, START, END] = [94, 0, 2];
const PREFIX = { claim: 'passage: ', question: 'query: ' } as const;

/** What makes a text the numbers that the model takes. @throws Error for a file that is no tokenizer.json */
export async function openTokenIds(file: Uint8Array): Promise<(text: string, role: Role) => BigInt64Array> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const tokenizer: Tokenizer = new Tokenizer(JSON.parse(new TextDecoder().decode(file)), {});
  return (text, role) => {
    const pieces = tokenizer.encode(PREFIX[role] + text, { add_special_tokens: false }).ids.slice(0, MOST_PIECES);
    return BigInt64Array.from([START, ...pieces, END], BigInt);
  };
}
