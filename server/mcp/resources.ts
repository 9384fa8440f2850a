import type { Presentation } from '../../tools/presentation.ts';
import { invalidParams, type Params } from './json-rpc/messages.ts';

type ResourceMethods = Readonly<Record<string, (params: Params) => object>>;

/** The signed profile as a resource, for hosts that keep or show one; nothing while none is loaded. */
export function resourceMethods({ brand = '', slug, document }: Presentation): ResourceMethods {
  if (!document) return {};
  // Not its web address: over stdio nothing may listen there.
  const uri = `brand://${slug}/brand.json`;
  const mimeType = 'application/json';
  return {
    'resources/list'({ cursor }) {
      if (cursor != null) throw invalidParams('unknown cursor');
      const title = `Brand profile of ${brand}`;
      return { resources: [{ uri, name: 'brand.json', title, mimeType, size: document.length }] };
    },
    'resources/read'(params) {
      if (params.uri !== uri) throw invalidParams(`uri must be ${uri}`);
      return { contents: [{ uri, mimeType, text: Buffer.from(document).toString() }] };
    },
  };
}
