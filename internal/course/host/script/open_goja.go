//go:build !js

package script

import js "github.com/wgslab/wgslab/internal/course/host/script/javascript"

// Open prepares JavaScript outside a browser. gpuScript is the text of the page's gpu.js. It may be
// called again for another check.
func Open(gpuScript string) error { return js.Open("gpu.js", gpuScript) }
