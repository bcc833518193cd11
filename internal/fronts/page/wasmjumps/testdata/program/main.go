// Command program jumps in all the ways that Go has, and prints what comes of it.
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"time"
)

func main() {
	fmt.Println(switches(1000), loops(30), labels(50))
	for _, n := range []int{0, 1, 7} {
		fmt.Println(recovered(n))
	}
	fmt.Println(goroutines(20), selects())
	words := strings.Fields("a program that jumps in all the ways that Go has")
	sort.Strings(words)
	fmt.Println(words, maps(words))
	for i := range iterator(5) {
		fmt.Print(i, " ")
	}
	fmt.Println(waits())
	os.Exit(3)
}

func switches(n int) (sum int) {
	for i := range n {
		switch i % 11 {
		case 0:
			sum++
		case 1, 2:
			sum += i
			fallthrough
		case 3:
			sum ^= i
		case 4:
			continue
		case 5:
			if sum > 1<<20 {
				return -sum
			}
		case 6, 7, 8:
			sum -= 3
		default:
			sum *= 2
			sum %= 10007
		}
	}
	return sum
}

func loops(n int) (total int) {
	for i := 0; i < n; i++ {
		for j := i; j > 0; j /= 2 {
			for k := j; ; k-- {
				if k == 0 || total > 100_000 {
					break
				}
				total += k & j
			}
		}
	}
	return total
}

func labels(n int) (steps int) {
outer:
	for i := range n {
		for j := range n {
			steps++
			switch {
			case i*j > 600:
				break outer
			case j > i:
				continue outer
			}
		}
	}
	if steps < 10_000 {
		goto end
	}
	steps = -steps
end:
	return steps
}

var errOdd = errors.New("odd")

func recovered(n int) (said string, err error) {
	defer func() {
		if r := recover(); r != nil {
			said, err = fmt.Sprint("recovered: ", r), errOdd
		}
	}()
	list := []int{1, 2, 3}
	return fmt.Sprint(list[n] / n), nil
}

func goroutines(n int) (sum int) {
	var all sync.WaitGroup
	results := make(chan int)
	for i := range n {
		all.Go(func() {
			for j := range i {
				results <- i * j
			}
		})
	}
	go func() {
		all.Wait()
		close(results)
	}()
	for r := range results {
		sum += r
	}
	return sum
}

func selects() (got []int) {
	numbers, quit := make(chan int), make(chan struct{})
	go func() {
		for i := range 5 {
			numbers <- i
		}
		close(quit)
	}()
	for {
		select {
		case n := <-numbers:
			got = append(got, n)
		case <-quit:
			return got
		}
	}
}

func maps(words []string) (longest string) {
	counts := map[string]int{}
	for _, w := range words {
		counts[w] += len(w)
	}
	most := 0
	for _, w := range words {
		if counts[w] > most {
			longest, most = w, counts[w]
		}
	}
	return longest
}

func iterator(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			defer func() {}()
			if i == 4 || !yield(i*i) {
				return
			}
		}
	}
}

func waits() string {
	select {
	case <-time.After(5 * time.Millisecond):
		return "waited"
	case <-time.After(time.Minute):
		return "waited for too long"
	}
}
