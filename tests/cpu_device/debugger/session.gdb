info cuda threads
break nothing
break dot
run one
info breakpoints
bt
info cuda kernels
info cuda threads
step
step
step
bt
finish
next
print threadIdx
print blockDim.x
print cache[0]
print a[0]@4
delete
break 15 if threadIdx.x == 3 && blockIdx.x == 2
continue
info cuda threads
cuda kernel block thread
cuda thread 1
bt
print threadIdx
print i
next
next
print half
info cuda threads
cuda thread 20
cuda warp i
cuda warp nothing
cuda thread 64
cuda block 9
cuda fish
info cuda fish
delete
break dot if blockIdx.x == 3 && threadIdx.x == 63
continue
next
next
next
next
next
cuda thread 0
cuda warp threadIdx.x < half
until 20
delete
break transpose if threadIdx.y == 1 && threadIdx.x == 2
continue
next
next
print threadIdx
print tile[1][2]
print tile[0]
cuda thread (3,2,0)
cuda thread (2,0)
next
print tile[3][4]
delete
break 33 if threadIdx.x == 4
continue
cuda warp mine
cuda thread 2
next
next
cuda warp mine
delete
tbreak fill
break scale<float>
continue
print factor
info cuda kernels
bt
delete 7
continue
print value
info cuda kernels
break scale<int>
continue
bt
delete
break 46 if blockIdx.x == 0 && threadIdx.x == 0
continue
info cuda blocks
cuda block 2
bt
cuda block 1 thread 0
cuda kernel 6 block (3,0,0)
cuda kernel 9
cuda block 0
delete
break 85
continue
print sums[0]
print threadIdx
cuda thread 3
info cuda kernels
continue
