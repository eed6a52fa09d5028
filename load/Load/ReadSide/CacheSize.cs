namespace ApexShop.Load.ReadSide;

/// <summary>The caches of a measured process.</summary>
internal enum CacheSize
{
    /// <summary>Switched off: every response is read.</summary>
    None,

    /// <summary>On, but no response is still cached when it is requested again: 1 MB, in Redis one second.</summary>
    TooSmall,

    /// <summary>As in production.</summary>
    Usual,
}
