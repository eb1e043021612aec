import { BatchBody, BatchIds, BatchReply } from '../../contract/batch.ts';
import { batchContentType } from '../../contract/limits.ts';
import { z } from 'zod';
import { ErrorReply } from '../../contract/error.ts';
import type { DialectName } from '../../contract/dialects.ts';
import { operationsOf, pathsOf, type Operation } from '../../contract/operations.ts';

type Json = Readonly<Record<string, unknown>>;

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  client: { type: 'http', scheme: 'basic' },
};

/** Returns the contract of a dialect as an OpenAPI 3.1 document. `url` is the address of the service. */
export function openApi(url: string, dialect: DialectName): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of operationsOf(dialect)) {
    for (const [index, path] of pathsOf(operation).entries()) {
      paths[path] ??= {};
      paths[path][operation.method.toLowerCase()] = describe(
        index === 0 ? id : `${id}${index + 1}`,
        path,
        operation,
      );
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Business telephony and unified messaging', version: '1.0' },
    servers: [{ url }],
    paths,
    components: { securitySchemes, schemas: { Error: schemaOf(ErrorReply, 'output') } },
  };
}

function describe(operationId: string, path: string, operation: Operation): Json {
  const { summary, section, permission, group } = operation;
  return {
    operationId,
    summary,
    tags: [section],
    ...(permission !== undefined && { 'x-permission': permission }),
    ...(group !== undefined && { 'x-usage-group': group }),
    security: operation.authorization === 'none' ? [] : [{ [operation.authorization]: [] }],
    parameters: [...pathParameters(path), ...queryParameters(operation)],
    ...requestBody(operation),
    responses: {
      ...successes(operation),
      default: {
        description: 'Error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function requestBody({ body, bodyType = 'json', bodyOptional, files, manyIds, idsInBody }: Operation): Json {
  if (idsInBody) {
    const content = { 'application/json': { schema: schemaOf(BatchIds, 'input') } };
    return { requestBody: { required: false, content } };
  }
  if (!body && bodyType !== 'multipart') return {};
  // The schema does not describe the documents, because a fax has several layouts (FAX-3 to FAX-6); the
  // route reads them.
  const schema = body ? schemaOf(body, 'input') : { type: 'object' };
  const types = {
    json: ['application/json', ...(files ? ['multipart/form-data', 'multipart/mixed'] : [])],
    form: ['application/x-www-form-urlencoded'],
    multipart: ['multipart/form-data', 'multipart/mixed', 'application/json'],
  };
  const content = {
    ...Object.fromEntries(types[bodyType].map((type) => [type, { schema }])),
    // A request for several IDs has an item or a part for each ID.
    ...(manyIds !== undefined && {
      [batchContentType]: { schema: schemaOf(BatchBody, 'input') },
      'multipart/mixed': { schema: { type: 'string' } },
    }),
  };
  return { requestBody: { required: bodyOptional !== true, content } };
}

/** Returns the successful replies, including 207 for several IDs and 206 for a part of a media file. */
function successes({ status, reply, media, manyIds, method }: Operation): Json {
  const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
  const content = media ? { content: { '*/*': {} } } : {};
  return {
    [String(status)]: { description: 'Success', ...(reply && json(schemaOf(reply, 'output'))), ...content },
    ...(media && {
      '206': { description: 'The part of the content that the Range header requests', ...content },
    }),
    ...(manyIds &&
      method !== 'POST' && {
        '207': {
          description: 'One result for each requested ID, in the format of the Accept header',
          content: {
            'multipart/mixed': { schema: { type: 'string' } },
            [batchContentType]: { schema: schemaOf(BatchReply, 'output') },
          },
        },
      }),
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Operation): Json[] {
  if (!query) return [];
  const schema = schemaOf(query, 'input') as { properties?: Record<string, unknown>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: value,
  }));
}

/** Constraints that JSON Schema cannot express (transformations, large integers) are omitted. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
  });
  return rest;
}
