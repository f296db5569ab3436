break 7 if threadIdx.x == 8
run
next
next
next
next
next
next
next
next
next
next
next
next
next
next
next
info breakpoints
next
next
next
continue
