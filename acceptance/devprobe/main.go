package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"

	"github.com/chromedp/chromedp"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/site/server"
	"github.com/wgslab/wgslab/shaders"
)

func main() {
	s := httptest.NewServer(server.Handler(".build/site"))
	var o []chromedp.ExecAllocatorOption
	if len(os.Args) > 1 {
		o = append(o, browser.WebGPU)
	}
	b, err := browser.Start(context.Background(), o...)
	if err != nil {
		panic(err)
	}
	defer b.Close()
	p, err := b.Open(s.URL + "/02-add.html")
	if err != nil {
		panic(err)
	}
	src, _ := shaders.Source("vector-add")
	fmt.Println(browser.Evaluate[string](p, fmt.Sprintf(`(async () => {
	const until = async (is) => { while (!is()) await new Promise((r) => setTimeout(r, 5)); };
	await until(() => document.documentElement.dataset.ready);
	let seen; const parse = JSON.parse; JSON.parse = (x) => { const v = parse(x); if (v && v.ms !== undefined) seen = {at: performance.now(), ms: v.ms}; return v; };
	const section = document.querySelector('#check-vector-add'), place = section.querySelector('.verdict');
	const out = [];
	for (let i = 0; i < 14; i++) {
	  document.querySelector('#vector-add .cm-content').focus();
	  document.execCommand('selectAll'); document.execCommand('insertText', false, %q + '// ' + i);
	  await new Promise((r) => setTimeout(r, 600));
	  seen = null; place.replaceChildren();
	  const t = performance.now(); section.querySelector('.start').click(); const t1 = performance.now();
	  await new Promise((resolve) => { const o = new MutationObserver(() => { if (!place.childElementCount) return; o.disconnect(); requestAnimationFrame(() => setTimeout(resolve)); }); o.observe(place, {childList: true, subtree: true}); });
	  const t2 = performance.now();
	  await until(() => !section.hasAttribute('aria-busy'));
	  out.push('click ' + (t1 - t).toFixed(1) + ' told ' + (seen.at - t).toFixed(1) + ' (judge ' + seen.ms + ') drawn ' + (t2 - t).toFixed(1) + ' all ' + (performance.now() - t).toFixed(0));
	}
	return out.join('\n');
	})()`, src)))
}
