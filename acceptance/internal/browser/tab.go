package browser

import "context"

// Tab is the page's tab, for what only one test does with it.
func (p *Page) Tab() context.Context { return p.ctx }
