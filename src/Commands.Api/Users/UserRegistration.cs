using Microsoft.AspNetCore.Identity;

namespace ApexShop.Commands.Api.Users;

internal static class UserRegistration
{
    public static void AddUsers(this IServiceCollection services)
    {
        services.AddSingleton(UserTable.EmailTaken);
        services.AddSingleton<IPasswordHasher<User>, PasswordHasher<User>>();
        services.AddSingleton<HashingLimit>();
        services.AddSingleton<LoginQueue>();
        services.AddScoped<LoginAttempt>();
        services.AddSingleton<ListPasswordHasher>();
        services.AddSingleton<PasswordCheck>();
        services.AddScoped<LoginCheck>();
        services.AddScoped<UserListLock>();
        services.AddScoped<LogErasure>();
        services.AddScoped<OrderErasure>();
    }
}
