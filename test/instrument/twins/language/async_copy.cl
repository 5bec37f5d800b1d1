// launch: stage 1024 64
// arg: floats 1024
// arg: zeros 4096
// arg: local 256
kernel void stage(global const float *in, global float *out,
                  local float *tile) {
  size_t first = get_group_id(0) * get_local_size(0);
  event_t e = async_work_group_copy(tile, in + first, get_local_size(0), 0);
  wait_group_events(1, &e);
  tile[get_local_id(0)] *= 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + first, tile, get_local_size(0), 0);
  wait_group_events(1, &e);
}
