// How does VitePress show the pages? build.ts has gathered them in .pages before it reads this file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { createCssVariablesTheme } from 'shiki'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { readSettings } from '../settings.ts'

const { base, repository } = readSettings()
const sidebar = JSON.parse(
  readFileSync(join(import.meta.dirname, '../.pages/sidebar.json'), 'utf8'),
) as DefaultTheme.SidebarItem[]

export default defineConfig({
  title: 'Minutebook',
  description: 'Keeps long LLM conversations inside the context window, and shows exactly what the model saw.',
  lang: 'en',
  base,
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.cache',
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  markdown: {
    // Links to headings work in a repository browser, too, so headings have the anchors that they have there.
    anchor: { slugify: slug },
    // Double braces are no expressions of Vue, neither in a text nor in code within a line.
    config: (md) => {
      const asText = (text: string): string => md.utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;')
      md.renderer.rules.text = (tokens, index) => asText(tokens[index]?.content ?? '')
      md.renderer.rules.code_inline = (tokens, index) => `<code>${asText(tokens[index]?.content ?? '')}</code>`
      // An empty cell is no heading.
      md.core.ruler.push('empty-headings', ({ tokens }) => {
        tokens.forEach((open, index) => {
          const [text, close] = tokens.slice(index + 1)
          if (open.type === 'th_open' && text?.content === '' && close !== undefined) open.tag = close.tag = 'td'
        })
      })
    },
    // Its colours are in site.css. Two themes would read each line of code twice.
    theme: createCssVariablesTheme({ name: 'site', variablePrefix: '--code-' }),
  },
  // The reference of the library is one page, and the index of the search one file.
  vite: { build: { chunkSizeWarningLimit: 5000 }, logLevel: 'warn' },
  // The theme's home page has no landmark for its content.
  transformHtml: (page) => page.replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/why', activeMatch: '^/(start/|first-hour|guide|experiments)' },
      { text: 'Integrations', link: '/integrations/', activeMatch: '^/integrations/' },
      { text: 'Concepts', link: '/concepts/prompt', activeMatch: '^/(concepts/|cache|waiting|architecture)' },
      { text: 'Recipes', link: '/recipes/why-did-the-model-forget', activeMatch: '^/(recipes|seeds|examples)/' },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference/|packages/|api)' },
      { text: 'Project', link: '/project/benchmarks', activeMatch: '^/(project/|inside/|comparison|scale|claims)' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // The index needs no colours.
        _render: (source, env, md) => md.render(source.replaceAll(/^( *`{3,})\w.*$/gm, '$1text'), env),
        miniSearch: {
          searchOptions: {
            fuzzy: 0.1,
            prefix: true,
            boostDocument: (id) => (/\/(reference\/(typescript|http)|inside|decisions)\//.test(String(id)) ? 0.5 : 1),
          },
        },
      },
    },
    editLink: { pattern: ({ frontmatter }) => frontmatter['edit'] as string, text: 'Edit this page' },
    socialLinks: repository?.startsWith('https://github.com/') ? [{ icon: 'github', link: repository }] : [],
  },
})
