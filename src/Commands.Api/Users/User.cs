using ApexShop.Commands.Api.Persistence;
using ApexShop.Events;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Users;

/// <summary>A customer. Only this row contains the hash of the password; no event does.</summary>
internal sealed class User : IAggregate
{
    private User()
    {
    }

    public static Resource Resource => Resource.Users;

    public int Id { get; private set; }

    public string Email { get; private set; } = "";

    public string FirstName { get; private set; } = "";

    public string LastName { get; private set; } = "";

    public string? PhoneNumber { get; private set; }

    public string PasswordHash { get; private set; } = "";

    public DateTimeOffset CreatedDate { get; private set; }

    public DateTimeOffset? LastLoginDate { get; private set; }

    public bool IsActive { get; private set; }

    public long Version { get; private set; }

    /// <summary>Whether the person was removed; nothing of a person is written to it again.</summary>
    public bool IsErased => PasswordHash == ErasedPerson.PasswordHash;

    /// <param name="body">The values of the request.</param>
    /// <param name="now">The time of creation.</param>
    /// <param name="id">With 0 the context assigns the id.</param>
    public static User New(UserInput.Body body, DateTimeOffset now, int id = 0)
    {
        var user = new User { Id = id, CreatedDate = now };
        user.Apply(body);
        return user;
    }

    public DomainEvent Created() => Changed(EventTypes.UserCreated);

    /// <summary>
    /// The event, or null if the user has all these values already. A password is always a change: its hash has a new
    /// salt.
    /// </summary>
    /// <param name="body">The values of the request.</param>
    /// <param name="passwordHash">Null keeps the password.</param>
    public DomainEvent? Replace(UserInput.Body body, string? passwordHash)
    {
        var (before, wasActive) = (State(), IsActive);
        Apply(body);
        if (passwordHash is null && State() == before) return null;
        PasswordHash = passwordHash ?? PasswordHash;
        return Changed(wasActive && !IsActive ? EventTypes.UserDeactivated : EventTypes.UserUpdated);
    }

    /// <summary>The current values of all fields that can be replaced; without the password.</summary>
    public UserInput.Body Values() => new(Email, FirstName, LastName, PhoneNumber, null, IsActive);

    public DomainEvent LogIn(DateTimeOffset now)
    {
        LastLoginDate = now;
        return Changed(EventTypes.UserUpdated);
    }

    /// <summary>The event of the erasure, or null if nothing of the person is left.</summary>
    public DomainEvent? Erase()
    {
        var before = State();
        (Email, FirstName, LastName) = (ErasedPerson.Email(Id), ErasedPerson.FirstName, ErasedPerson.LastName);
        (PhoneNumber, LastLoginDate, IsActive) = (null, null, false);
        if (State() == before && IsErased) return null;
        PasswordHash = ErasedPerson.PasswordHash;
        return Changed(EventTypes.UserErased);
    }

    /// <summary>Part of a creation: it does not raise the version and has no event.</summary>
    public void SetPasswordHash(string hash) => PasswordHash = hash;

    public DomainEvent Deleted() => new(EventTypes.UserDeleted, Resource.Name, new DeletedState(Id, Version + 1));

    private DomainEvent Changed(string type)
    {
        Version++;
        return new DomainEvent(type, Resource.Name, State());
    }

    private UserState State() =>
        new(Id, Email, FirstName, LastName, PhoneNumber, CreatedDate, LastLoginDate, IsActive, Version);

    private void Apply(UserInput.Body body)
    {
        (Email, FirstName, LastName) = (body.Email, body.FirstName, body.LastName);
        (PhoneNumber, IsActive) = (body.PhoneNumber, body.IsActive);
    }
}
