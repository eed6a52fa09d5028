using ApexShop.Commands.Api.Outbox;
using ApexShop.Projector.CacheInvalidation;
using ApexShop.Projector.Projecting;
using ApexShop.Queries.Api.Caching;
using ApexShop.Queries.Api.Consistency;

namespace ApexShop.Simulation.Tests.Planted;

/// <summary>
/// Where a planted bug comes between the code and a server, or changes what a server does. Without one, nothing does.
/// </summary>
internal class Bugs
{
    /// <summary>The broker deletes a message when it delivers it.</summary>
    public virtual bool AcknowledgesOnDelivery => false;

    /// <summary>A consumer does not learn that its queue was deleted.</summary>
    public virtual bool EndOfTheQueueIsNotSent => false;

    /// <summary>Two transactions of Projectors run at the same time.</summary>
    public virtual bool LocksNothing => false;

    /// <summary>Tags are raised without a number and an announcement.</summary>
    public virtual bool RaiseIsNotAnnounced => false;

    /// <summary>Tags are announced, and keep their generation.</summary>
    public virtual bool RaiseIsNotKept => false;

    /// <summary>Some tags are said to be raised and are not.</summary>
    public virtual bool RaiseIsLost => false;

    public virtual IEventBus Bus(IEventBus bus) => bus;

    public virtual IProjectionTransaction Transaction(IProjectionTransaction transaction) => transaction;

    public virtual IRaisedTags Tags(IRaisedTags tags) => tags;

    public virtual ISharedCache SharedCache(ISharedCache cache) => cache;

    public virtual IVersionReader Versions(IVersionReader versions) => versions;

    public virtual IPendingState PendingState(IPendingState state) => state;
}
