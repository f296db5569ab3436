break 15 if threadIdx.x == 3 && blockIdx.x == 2
continue
info cuda kernels
info cuda threads
cuda thread 1
bt
print threadIdx
print i
next
cuda thread 20
cuda warp i
delete
break product
continue
bt
finish
delete
break 33 if threadIdx.x == 4
continue
cuda warp mine
cuda thread 2
next
cuda warp mine
delete
break 46 if blockIdx.x == 0 && threadIdx.x == 0
continue
info cuda blocks
