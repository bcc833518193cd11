package gpu

// Live is how many buffers, kernels and passes of a device have not been freed.
func Live(d *Device) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.live)
}
