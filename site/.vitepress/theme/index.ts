// How does the site look? VitePress' own theme in the colours of the console, and the picture below the promise.
import { h } from 'vue'
import { useData, withBase, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import './site.css'

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': pictureOfHome }),
}
export default theme

function pictureOfHome(): ReturnType<typeof h> {
  const { light, dark, alt, caption } = useData().frontmatter.value['picture'] as Record<string, string>
  const image = (theme: string, source = ''): ReturnType<typeof h> =>
    h('img', { class: `only-${theme}`, src: withBase(source), alt, width: 1440, height: 900 })
  return h('figure', { class: 'picture' }, [image('light', light), image('dark', dark), h('figcaption', caption)])
}
