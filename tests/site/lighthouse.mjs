// Measures in one Chromium the pages that come in line by line, each as `{"url": …, "categories": …}`, and answers each
// with its report on one line. What comes before the addresses: the path of Chromium, then its arguments.
import { createInterface } from 'node:readline'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const [chromePath, ...chromeFlags] = process.argv.slice(2)
const chrome = await launch({ chromePath, chromeFlags })
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const { url, categories } = JSON.parse(line)
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: categories, disableFullPageScreenshot: true })
    process.stdout.write(`${JSON.stringify(lhr)}\n`)
  }
} finally {
  chrome.kill()
}
process.exit() // a connection to Chromium would keep this program for some seconds
