namespace ApexShop.Caching;

/// <summary>The Redis script that invalidates tags.</summary>
public static class TagScript
{
    /// <summary>
    /// Gives the tags a new generation and announces them as "number generation tag tag ...". KEYS:
    /// <see cref="CacheNames.Announcements"/>, <see cref="CacheNames.LastGeneration"/>, then the key of each tag. ARGV:
    /// the channel, then the tags separated by spaces.
    /// </summary>
    // A generation only increases, also after a loss of the data in Redis: it is at least the clock in microseconds,
    // which is far larger than any count of changes. All tags of a call get the same generation, because it is larger
    // than every earlier one. A cached response lives less than an hour, so a generation may expire after an hour.
    // The numbers begin at a generation, so that none is repeated after a loss of the last one: a process does not
    // notice that it missed an announcement whose number it knows.
    public const string Raise = """
        local time = redis.call('TIME')
        local last = tonumber(redis.call('GET', KEYS[2])) or 0
        local generation = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
        redis.call('SET', KEYS[2], generation)
        for i = 3, #KEYS do
            redis.call('SET', KEYS[i], generation, 'EX', 3600)
        end
        redis.call('SET', KEYS[1], generation, 'NX')
        local number = string.format('%.0f', redis.call('INCR', KEYS[1]))
        redis.call('PUBLISH', ARGV[1], number .. ' ' .. generation .. ' ' .. ARGV[2])
        """;
}
