//go:build !js

package plaintext

import "github.com/rivo/uniseg"

// widthOf returns how many columns of a terminal a text takes.
func widthOf(text string) int { return uniseg.StringWidth(text) }

// firstCluster cuts off what a terminal shows as one character. state is -1 at first.
func firstCluster(text string, state int) (cluster, rest string, columns, next int) {
	return uniseg.FirstGraphemeClusterInString(text, state)
}
