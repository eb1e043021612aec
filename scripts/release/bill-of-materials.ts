import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SystemPackage } from './system-libraries.ts';
import { nodeVersion } from './targets.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly [member: string]: unknown;
}

interface Bill {
  readonly metadata: { readonly component: Component; readonly [member: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  readonly [member: string]: unknown;
}

/**
 * The bill of materials (CycloneDX, from `npm sbom`) of everything that a release contains: the packages that the bundle includes, the
 * packages that npm installs with ucctl, Node, which is part of the executable, and the libraries of the image.
 * @param time time of the commit, in ISO 8601, so that a second build makes the same file
 * @param libraries Debian packages with libraries that are part of the image
 */
export function billOfMaterials(time: string, libraries: readonly SystemPackage[]): string {
  const all = npmBill();
  const bundled = new Set(
    ['cli', 'completion', 'console', 'lib'].flatMap(
      (folder) => JSON.parse(readFileSync(`dist/${folder}/third-party.json`, 'utf8')) as readonly string[],
    ),
  );
  const isShipped = (one: Component): boolean => bundled.has(one['bom-ref']) || !isForDevelopment(one);
  const { component } = all.metadata;
  const root = { ...component, type: 'application', name: 'ucctl' };
  const node = {
    'bom-ref': `node@${nodeVersion}`,
    type: 'platform',
    name: 'node',
    version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`,
    description: 'JavaScript runtime, in the single executable only',
  };
  const npmPackages = all.components.filter(isShipped);
  const components = [...npmPackages, node, ...libraries.map(libraryComponent)];
  const refs = new Set(components.map((one) => one['bom-ref']));
  const shippedOnly = (dependsOn: readonly string[] = []): readonly string[] =>
    dependsOn.filter((ref) => refs.has(ref));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: shippedOnly(dependsOn) }));
  const { serialNumber: _random, ...rest } = all;
  const bill = {
    ...rest,
    metadata: { ...all.metadata, timestamp: time, component: root },
    components,
    dependencies,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function libraryComponent({ name, version }: SystemPackage): Component {
  return {
    'bom-ref': `debian:${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`,
    description: 'System library, in the container image only',
  };
}

/** Whether npm omits a package when it installs ucctl. */
function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
}

function npmBill(): Bill {
  const output = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(output) as Bill;
}
