// What is the TypeScript API? TypeDoc reads the built types of every entry point, and each becomes a page.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Application, Converter, ReflectionKind, type DeclarationReflection, type ProjectReflection } from 'typedoc'
import { root, type Page } from './pages.ts'

/** What a program imports: a package or one of its subpaths. */
interface EntryPoint {
  readonly name: string
  readonly types: string
  readonly says: string
}

/** What the HTTP API page shows better. As types they have 3 MB. */
const shownElsewhere: ReadonlySet<string> = new Set(['components', 'operations', 'paths'])

/** Options of the Markdown plugin, which TypeDoc's own types do not have. */
const ofMarkdown = {
  router: 'module',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  enumMembersFormat: 'table',
}

/** The pages, and the public names that have no comment. Throws if TypeDoc finds an error. */
export async function typescriptPages(): Promise<{ readonly pages: Page[]; readonly undocumented: string[] }> {
  const entryPoints = entryPointsOf()
  const missing = entryPoints.filter(({ types }) => !existsSync(types))
  if (missing.length > 0)
    throw new Error(`${missing[0]?.types} does not exist. Build the packages first: npm run build`)
  const folder = mkdtempSync(join(import.meta.dirname, '.typedoc-'))
  try {
    const project = await writeMarkdown(entryPoints, folder)
    const pages = entryPoints.map((entry, index) => pageFor(entry, index, folder))
    return { pages: [overview(entryPoints), ...pages], undocumented: undocumentedNames(project) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function entryPointsOf(): EntryPoint[] {
  const rank = (file: string): string => (file.startsWith('packages/core/') ? '' : file)
  const files = globSync('packages/*/package.json', { cwd: root })
  return files
    .toSorted((one, other) => rank(one).localeCompare(rank(other), 'en'))
    .flatMap((file) => {
      const { name, description, exports } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
        readonly name: string
        readonly description: string
        readonly exports: Readonly<Record<string, string | { readonly types?: string }>>
      }
      return Object.entries(exports).flatMap(([subpath, target]) => {
        const types = typeof target === 'object' ? target.types : undefined
        if (types === undefined) return []
        const says = subpath === '.' ? description : ''
        return [{ name: `${name}${subpath.slice(1)}`, types: join(root, file, '..', types), says }]
      })
    })
}

async function writeMarkdown(entryPoints: readonly EntryPoint[], folder: string): Promise<ProjectReflection> {
  const tsconfig = join(folder, 'tsconfig.json')
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'esnext.disposable'],
    strict: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: entryPoints.map(({ types }) => types) }))
  const app = await Application.bootstrapWithPlugins({
    ...ofMarkdown,
    plugin: ['typedoc-plugin-markdown'],
    tsconfig,
    entryPoints: entryPoints.map(({ types }) => types),
    // `npm run types` checks the types, and this compiler is another one.
    skipErrorChecking: true,
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    groupOrder: ['Functions', 'Interfaces', 'Type Aliases', 'Classes', '*'],
    logLevel: 'Error',
    outputs: [{ name: 'markdown', path: folder }],
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project: { children = [] } }) => {
    for (const child of children.flatMap((module) => module.children ?? []))
      if (shownElsewhere.has(child.name)) child.project.removeReflection(child)
  })
  const project = await app.convert()
  if (project === undefined || app.logger.hasErrors()) throw new Error('TypeDoc could not read the built packages.')
  nameModules(project, entryPoints)
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('TypeDoc could not write the reference.')
  return project
}

/** Names each module after its page: its file gets that name, and so do the links to it. */
function nameModules(project: ProjectReflection, entryPoints: readonly EntryPoint[]): void {
  for (const entry of entryPoints) {
    const path = relative(join(root, 'packages'), entry.types).replace(/(\/index)?\.d\.ts$/, '')
    const module = project.children?.find(({ name }) => name === path)
    if (module === undefined) throw new Error(`TypeDoc has no module for ${entry.name} (${path}).`)
    module.name = fileOf(entry)
  }
}

function pageFor(entry: EntryPoint, order: number, folder: string): Page {
  const api = readFileSync(join(folder, `${fileOf(entry)}.md`), 'utf8')
  const text = [`# ${entry.name}`, entry.says, `\`\`\`ts\nimport … from '${entry.name}'\n\`\`\``, api]
  const name = `reference/typescript/${fileOf(entry)}`
  return { name, title: entry.name, order: order + 1, text: text.filter((part) => part !== '').join('\n\n') }
}

function overview(entryPoints: readonly EntryPoint[]): Page {
  const rows = entryPoints.map((entry) => `| [\`${entry.name}\`](${fileOf(entry)}.md) | ${entry.says} |`)
  const says =
    'What each package exports, with its types. It is made from the built packages. The [guide](../../guide.md) explains how the parts work together.'
  const text = `# TypeScript API\n\n${says}\n\n| import from | what it is for |\n|---|---|\n${rows.join('\n')}\n`
  return { name: 'reference/typescript/index', title: 'Overview', order: 0, text }
}

/** `minutebook/store` is minutebook-store.md, and `@minutebook/sqlite` is sqlite.md. */
function fileOf({ name }: EntryPoint): string {
  return name.replace('@minutebook/', '').replaceAll('/', '-')
}

/** Public names without a comment. What is exported a second time is found where it is declared. */
function undocumentedNames(project: ProjectReflection): string[] {
  const isBare = (each: DeclarationReflection): boolean =>
    each.kind !== ReflectionKind.Reference &&
    !each.hasComment() &&
    !(each.signatures ?? []).some((signature) => signature.hasComment())
  return (project.children ?? []).flatMap((module) =>
    (module.children ?? []).filter(isBare).map(({ name }) => `${module.name}: ${name}`),
  )
}
