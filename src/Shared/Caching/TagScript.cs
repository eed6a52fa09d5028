namespace ApexShop.Caching;

/// <summary>How tags are raised in Redis: the one text that the writer of the generations and their readers rest on.</summary>
public static class TagScript
{
    /// <summary>
    /// Raises tags and announces them as "number generation tag tag ...". KEYS: <see cref="CacheNames.Announcements"/>,
    /// <see cref="CacheNames.LastGeneration"/>, then the key of each tag; ARGV: the channel, the tags with spaces
    /// between them.
    /// </summary>
    // A generation only grows, also past the loss of Redis: its clock in microseconds is far ahead of any count of
    // changes. One number serves all tags of a call: it is above every number given before, theirs included. After an
    // hour nobody holds an answer with the old one.
    public const string Raise = """
        local time = redis.call('TIME')
        local last = tonumber(redis.call('GET', KEYS[2])) or 0
        local generation = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
        redis.call('SET', KEYS[2], generation)
        for i = 3, #KEYS do
            redis.call('SET', KEYS[i], generation, 'EX', 3600)
        end
        redis.call('PUBLISH', ARGV[1], redis.call('INCR', KEYS[1]) .. ' ' .. generation .. ' ' .. ARGV[2])
        """;
}
