import { type ASTVisitor, GraphQLError, type ValidationContext, type ValidationRule } from 'graphql';
import { type DocumentSize, measureDocument } from './measure-document.js';

/** Lexer tokens of a document, bounded while it is parsed. */
export const MAX_TOKENS = 1_000;
/** Bytes of a request's body. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The most a document may hold, fragments in their places. */
export const DOCUMENT_LIMITS: Readonly<DocumentSize> = {
  depth: 8,
  aliases: 15,
  directives: 50,
  fields: 1_000,
  related: 1,
};

const INTROSPECTION = new Set(['__schema', '__type']);

/** Refuses a document before any resolver runs; it also bounds fields, which fragments in fragments can multiply. */
export const limitRule =
  (options: { readonly introspection: boolean }, limits: Readonly<DocumentSize> = DOCUMENT_LIMITS): ValidationRule =>
  (context: ValidationContext): ASTVisitor => {
    const isFree = (field: string): boolean => options.introspection && INTROSPECTION.has(field);
    const size = measureDocument(context.getDocument(), isFree);
    for (const name of ['depth', 'aliases', 'directives', 'fields', 'related'] as const) {
      if (size[name] <= limits[name]) continue;
      context.reportError(new GraphQLError(`The query has more than ${limits[name]} ${UNITS[name]}; ask for less.`));
    }
    return {};
  };

const UNITS: Readonly<Record<keyof DocumentSize, string>> = {
  depth: 'levels',
  aliases: 'aliases',
  directives: 'directives',
  fields: 'fields',
  related: 'level of related memories',
};
