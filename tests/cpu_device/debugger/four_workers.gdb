break 15 if threadIdx.x == 3 && blockIdx.x == 2
run
info cuda threads
cuda thread 1
bt
print threadIdx
next
next
next
cuda warp i
cuda block 2 thread 63
delete
break 33 if threadIdx.x == 4
continue
cuda thread 2
next
cuda warp mine
delete
break 46 if blockIdx.x == 0 && threadIdx.x == 0
continue
info cuda blocks
cuda block 3
bt
cuda block 0
next
delete
continue
